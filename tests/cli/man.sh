# Manual pages come from the tables, and scdoc takes them where it is installed.
reprise man | grep '^#'
reprise man cat | sed -n '1,12p'
for verb in '' info tracks cat at stats verify formats schema completion; do
    reprise man $verb >page.scd || echo "failed: $verb"
    if command -v scdoc >/dev/null; then
        scdoc <page.scd >page.1 || echo "scdoc: $verb"
        test -s page.1 || echo "empty: $verb"
    fi
done
reprise man nosuch
