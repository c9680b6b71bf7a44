reprise formats
