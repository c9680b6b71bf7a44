# The overview is an answer to --help, and to a call without anything, which is a mistake.
reprise --help
reprise help | head -1
reprise >/dev/null
