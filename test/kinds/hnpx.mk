# Ids that are taken cannot be had by chance; parses are counted.
WRAP_hnpx_tools_test := -Wl,--wrap=random_below -Wl,--wrap=book_parse
