"""Quality page: `page` draws the overview, `findings` lists and what is opened of them, `selection` the address.

`queries` and `examination` read, `html` and `charts` draw.
"""
