------------------------------------- MODULE Wrong -------------------------------------
(* Wrong rules. One at a time takes the place of a rule operator of the specification, and the model checker must find
   what it breaks (WrongRule has the worlds). *)
EXTENDS Journal

ObeysAnyone(d, t) == TRUE
DoesNotFence(d, t) == d
PromisesOneEpochTwice(d, t) == d.promise.epoch <= term[t].epoch /\ d.promise # Promised(t)
ForgetsItsPromise(d) == [d EXCEPT !.known = 0, !.read = 0, !.promise = NoPromise]
OneOfThem(ids, voters) == ids \cap voters # {}
FollowsAnyLog(d, t, sn) == Len(d.log) >= sn - 1
CutsNothing(d, t, sn) == IF Len(d.log) >= sn THEN d.log ELSE Append(d.log, term[t].log[sn])
KnowsAllItHas(p, t) == Min({Told(t, p), Len(disk[p].log)})
KeepsItsId(p) == [Empty(p) EXCEPT !.id = disk[p].id, !.inc = 1]
VotesAtOnce(list, old, id) == [voters |-> (list.voters \ {old}) \cup {id}, learners |-> list.learners]
ChangesBeforeTheLastIsCommitted(t) == TRUE
LearnersVote(t, sn) == 2 * Cardinality({i \in MembersOf(List(t)) : term[t].acks[i] >= sn}) > Cardinality(List(t).voters)
LearnersPromise(promised, best) == LET list == Members(best.log) IN
  2 * Cardinality({s.id : s \in promised} \cap MembersOf(list)) > Cardinality(list.voters)
TakesBackWhoWasDropped(t) == InSync(t) \ MembersOf(List(t))
NoticesNoDamage(d, sn) == [d EXCEPT !.known = 0, !.read = 0, !.log = SubSeq(@, 1, sn)]
DamagedIsSource(s) == TRUE
CompleteAtOnce(d, t, sn) == TRUE
KeepsNothing(log, committed) == LastSn + 1
KeepsWhatIsGone(t, sn) == TRUE
TakesOtherIncarnations(d, t) == TRUE
BelievesCopies(p, id) == TRUE
IgnoresLeases(d, t) == TRUE
LeaseCountsFromTheAnswer(d) == TRUE
CommitsWithoutReaders(t, but) == LastSn
ForgetsOlderReaders == {}
ToldTooEarly(t, p) == IF p \in Readers THEN term[t].flushed ELSE term[t].committed
GrantsThoughNotAlone(t, p) == term[t].acks[disk[p].id] = Len(term[t].log)
GrantsToThoseBehind(t, p) == Alone(t)
TakesReadersForStopped(t, p) == TRUE
========================================================================================
