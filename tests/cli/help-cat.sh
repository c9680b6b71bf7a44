# The longest help there is: groups, wrapped text, examples.
reprise cat --help
