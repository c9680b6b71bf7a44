# Markdown of the tables; the parts that documents include.
reprise schema rumble | grep '^#'
reprise schema rumble | sed -n '/^### pedestals/,/^### props/p'
reprise schema rumble | sed -n '/^### pedestal state/,/^### scene/p'
