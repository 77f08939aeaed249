#!/usr/bin/perl
# test.pl JOBS [TEST...] [--foreign FOLDER TEST...]: runs the tests, JOBS at once; those after --foreign with the documents of others in
# FOLDER (QUIRE_DATA), or not at all if there is no such folder, and says so. Tests that took long the last time begin first. The last line
# has the counts: what failed are claims, and programs that ended wrongly.
use strict;
use warnings;
use Cwd 'abs_path';
use TAP::Harness;
use TAP::Parser::Aggregator;

my ($jobs, @own) = @ARGV;
my (@foreign, $folder, %took);
for my $i (0 .. $#own) {
	next unless $own[$i] eq '--foreign';
	(undef, $folder, @foreign) = splice @own, $i;
	last;
}
my $times = 'build/test.times'; # seconds and name of each test
if (open my $in, '<', $times) {
	while (<$in>) { $took{$2} = $1 if /^(\S+) (.+)$/ }
}
my $harness = TAP::Harness->new({exec => [], jobs => $jobs, timer => 1, color => -t STDOUT ? 1 : 0});
my $found = TAP::Parser::Aggregator->new;

sub run_all {
	my ($more, @tests) = @_;
	my @named = sort { ($took{$b->[1]} // 5) <=> ($took{$a->[1]} // 5) } map { [$_, "$_$more"] } @tests;
	$harness->aggregate_tests($found, @named) if @named;
}

$found->start;
delete $ENV{QUIRE_DATA};
run_all('', @own);
my $absent = defined $folder && !-d $folder;
if (!$absent && defined $folder) {
	$ENV{QUIRE_DATA} = abs_path($folder);
	run_all(" ($folder)", @foreign);
}
$found->stop;
$harness->summary($found);
$took{$_->[0]} = $_->[1]->end_time - $_->[1]->start_time for map { [$_, $found->parsers($_)] } $found->descriptions;
if (open my $out, '>', $times) {
	printf $out "%.1f %s\n", $took{$_}, $_ for sort { $took{$b} <=> $took{$a} } keys %took;
}
my $wrong = grep { !$_->failed && $_->has_problems } $found->parsers;
print "skipped: the tests on documents of others, because there is no folder $folder (QUIRE_DATA)\n" if $absent;
printf "%d passed, %d failed\n", scalar($found->passed), scalar($found->failed) + $wrong;
exit($found->failed || $wrong ? 1 : 0);
