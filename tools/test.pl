#!/usr/bin/perl
# test.pl JOBS [TEST...] [--foreign FOLDER TEST...]: runs the tests, JOBS at once; those after --foreign with the documents of others in
# FOLDER (QUIRE_DATA), or not at all if there is no such folder, and says so. The last line has the counts: what failed are claims, and
# programs that ended wrongly.
use strict;
use warnings;
use Cwd 'abs_path';
use TAP::Harness;
use TAP::Parser::Aggregator;

my ($jobs, @own) = @ARGV;
my (@foreign, $folder);
for my $i (0 .. $#own) {
	next unless $own[$i] eq '--foreign';
	(undef, $folder, @foreign) = splice @own, $i;
	last;
}
my $harness = TAP::Harness->new({
	exec => [], jobs => $jobs, timer => 1, merge => 0, color => -t STDOUT ? 1 : 0, verbosity => $ENV{V} ? 1 : 0,
});
my $found = TAP::Parser::Aggregator->new;
$found->start;
delete $ENV{QUIRE_DATA};
$harness->aggregate_tests($found, map { [$_, $_] } @own) if @own;
my $absent = defined $folder && !-d $folder;
if (@foreign && !$absent) {
	$ENV{QUIRE_DATA} = abs_path($folder);
	$harness->aggregate_tests($found, map { [$_, "$_ ($folder)"] } @foreign);
}
$found->stop;
$harness->summary($found);
my $wrong = grep { !$_->failed && $_->has_problems } $found->parsers;
print "skipped: the tests on documents of others, because there is no folder $folder (QUIRE_DATA)\n" if $absent;
printf "%d passed, %d failed\n", scalar($found->passed), scalar($found->failed) + $wrong;
exit($found->failed || $wrong ? 1 : 0);
