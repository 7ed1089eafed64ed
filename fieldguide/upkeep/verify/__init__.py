"""Does what the catalog cites still stand in upstream's source? Look, report, and move the stamps that hold."""
