# One format of several; every one that is listed has a schema.
reprise formats | sed -n '/^rumble/,/^  tracks/p'
for name in $(reprise formats | sed -n 's/^\([a-z0-9]*\)  .*/\1/p'); do
    reprise schema --json $name | validate schema || echo "$name"
    reprise schema $name | grep -q '^## Records' || echo "$name has no records"
done
