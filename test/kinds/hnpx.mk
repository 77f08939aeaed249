# Controls random ids, because a collision never happens by chance; counts parses.
WRAP_hnpx_tools_test := -Wl,--wrap=random_below -Wl,--wrap=book_parse
