------------------------------------ MODULE Journal ------------------------------------
(* The replicated journal: takeover, lease, members, lost disks, damage, promotion, purging and near reads.
   It says in TLA+ what docs/design/ssp-protocol.md says in English; the rules have the same names. TLC checks
   it in small worlds, whose bounds are the constants (bin/check-spec).

   Messages are not listed, because a term only grows and nothing it has sent can be taken back: at any time a node
   may receive any prefix of any term's log, for the first time or again, and in any order; a writer may look at any
   answer given so far, or never. Loss, delay, repetition and reordering are just the choice of the next step. A writer
   that died is one that takes no more steps. An answer is given in the step that makes its contents durable (R1), so a
   crash in between is a lost answer.

   Time is an order, not a number. A lease ends for whoever relies on it before it ends for whoever grants it: this is
   what the durations and the bound on clock rates in the protocol are for, and LeaseOver and HoldOver say it. *)
EXTENDS Integers, Sequences, FiniteSets, TLC

CONSTANTS Places,      \* addresses; each has room for one disk
          Voters,      \* those that vote when the journal has been formatted; the others are empty
          Readers,     \* those that the log names as read from (near reads)
          LastTerm,    \* how often somebody wants to be the writer
          LastEpoch,   \* the highest epoch that may be taken
          LastSn,      \* the greatest length of a log
          Generations, \* how many disks a place may have, one after the other
          Leases,      \* whether leases are looked at; the log is safe without
          Budget       \* how often each kind of fault and operator's action occurs: a record, see Kinds

Kinds == {"crash", "loss", "return", "change", "damage", "promotion", "copy", "purge", "barrier"}
Terms == 1..LastTerm
Ids   == Places \X (1..Generations)      \* storage is named by where and as which disk it was made (R8)

VARIABLES disk,    \* place -> its disk and what its node knows
          aside,   \* place -> the disk that was lost there, in case it is put back
          made,    \* place -> how many disks it had
          term,    \* term -> its writer's state, and everything it has sent and was answered
          root,    \* the log with which the promoted incarnation begins; empty before
          spent    \* kind -> how often it has occurred
vars == <<disk, aside, made, term, root, spent>>

------------------------------------ \* Logs
NoList == [voters |-> {}, learners |-> {}]
Entry(epoch, kind) == [epoch |-> epoch, kind |-> kind, list |-> NoList, keeps |-> 0]
ListEntry(epoch, list) == [Entry(epoch, "MEMBERS") EXCEPT !.list = list]
Max(S) == CHOOSE x \in S : \A y \in S : y <= x
Min(S) == CHOOSE x \in S : \A y \in S : x <= y
Begins(a, b) == Len(a) <= Len(b) /\ a = SubSeq(b, 1, Len(a))
Agree(a, b) == Begins(a, b) \/ Begins(b, a)
EpochAt(log, sn) == IF sn = 0 THEN 0 ELSE log[sn].epoch
Last(log) == <<EpochAt(log, Len(log)), Len(log)>>
NotHigher(a, b) == a[1] < b[1] \/ (a[1] = b[1] /\ a[2] <= b[2])
ListAt(log) == Max({0} \cup {n \in 1..Len(log) : log[n].kind = "MEMBERS"})
Members(log) == IF ListAt(log) = 0 THEN NoList ELSE log[ListAt(log)].list  \* in force from the moment they are appended
MembersOf(list) == list.voters \cup list.learners
Retired(log) == UNION {MembersOf(log[n].list) : n \in 1..Len(log)} \ MembersOf(Members(log))
Majority(ids, voters) == 2 * Cardinality(ids \cap voters) > Cardinality(voters)
(* What the barriers of a log keep, from the lowest such sn on. A release counts once it is committed. *)
Kept(log, committed) ==
  Min({LastSn + 1} \cup {log[n].keeps : n \in {b \in 1..Len(log) : log[b].kind = "BARRIER"
                              /\ ~\E r \in (b + 1)..committed : log[r].kind = "RELEASE" /\ log[r].keeps = log[b].keeps}})

------------------------------------ \* Disks and terms
NoPromise == [epoch |-> 1, term |-> 0]
Empty(p) == [id |-> <<p, 0>>, inc |-> 0, promise |-> NoPromise, log |-> <<>>, complete |-> TRUE,
             goal |-> <<0, 0>>, base |-> 0,                    \* durable up to here, the lease too
             lease |-> 0, known |-> 0, read |-> 0]             \* known: committed as far as the node has heard
Has(p) == disk[p].id[2] > 0
Formatted == <<ListEntry(1, [voters |-> {<<p, 1>> : p \in Voters}, learners |-> {}])>>
Idle == [stage |-> "idle", epoch |-> 0, inc |-> 0, promises |-> {}, log |-> <<>>, start |-> 0, acks |-> [i \in Ids |-> 0],
         flushed |-> 0, committed |-> 0, fresh |-> {}, holds |-> {}, purged |-> 0]
Writing(t) == term[t].stage = "writing"
List(t) == Members(term[t].log)
Promised(t) == [epoch |-> term[t].epoch, term |-> t]
Committed(t) == SubSeq(term[t].log, 1, term[t].committed)
Flushed(t) == SubSeq(term[t].log, 1, term[t].flushed)
Known(p) == SubSeq(disk[p].log, 1, Min({disk[p].known, Len(disk[p].log)}))
Spend(kind) == spent[kind] < Budget[kind] /\ spent' = [spent EXCEPT ![kind] = @ + 1]

Init == /\ disk = [p \in Places |-> IF p \in Voters
                    THEN [Empty(p) EXCEPT !.id = <<p, 1>>, !.inc = 1, !.log = Formatted, !.known = 1] ELSE Empty(p)]
        /\ aside = [p \in Places |-> Empty(p)]
        /\ made = [p \in Places |-> IF p \in Voters THEN 1 ELSE 0]
        /\ term = [t \in Terms |-> Idle]
        /\ root = <<>>
        /\ spent = [k \in Kinds |-> 0]

------------------------------------ \* Takeover
(* Rule operators have names of their own: Wrong.tla replaces one at a time, and TLC must find each. *)
Counts(p, id) == id[1] = p                                                       \* R12: only where its member is
MayPromise(d, t) == d.promise.epoch < term[t].epoch                                      \* R1
MayPromiseBesides(d, t) == d.lease = 0                                                   \* L1
Fenced(d, t) == [d EXCEPT !.promise = Promised(t)]                                       \* R1
Obeys(d, t) == d.promise.epoch < term[t].epoch \/ d.promise = Promised(t)               \* R1
SameIncarnation(d, t) == d.inc = term[t].inc                                             \* R11

Want(t, e) ==
  /\ term[t].stage = "idle" /\ \A u \in 1..(t - 1) : term[u].stage # "idle"
  /\ term' = [term EXCEPT ![t].stage = "asking", ![t].epoch = e]
  /\ UNCHANGED <<disk, aside, made, root, spent>>

Asked(t) == term[t].stage = "asking"                                                     \* L4
Promise(p, t) ==
  /\ Has(p) /\ Asked(t) /\ MayPromise(disk[p], t) /\ MayPromiseBesides(disk[p], t)
  /\ disk' = [disk EXCEPT ![p] = Fenced(@, t)]
  /\ term' = [term EXCEPT ![t].promises = @ \cup {[at |-> p, id |-> disk[p].id, inc |-> disk[p].inc, log |-> disk[p].log,
                                                   complete |-> disk[p].complete, base |-> disk[p].base]}]
  /\ UNCHANGED <<aside, made, root, spent>>

InForce(some) == Max({s.inc : s \in some})                                               \* R11
IsSource(s) == s.complete                                                                \* R9
Usable(some) == {s \in some : s.inc = InForce(some) /\ IsSource(s) /\ Counts(s.at, s.id)}
Enough(promised, best) == Majority({s.id : s \in promised}, Members(best.log).voters)
(* What no majority of those that promised still has. *)
Gone(promised, best) == Max({0} \cup {n \in {s.base : s \in promised} :
                             ~Majority({s.id : s \in {s \in promised : s.base < n}}, Members(best.log).voters)})
HeldAtFirst == Readers                                                                   \* N7
Begin(t) ==
  /\ term[t].stage = "asking"
  /\ \E some \in SUBSET term[t].promises : some # {} /\ \E best \in Usable(some) :
       /\ \A s \in Usable(some) : NotHigher(Last(s.log), Last(best.log))
       /\ Enough(Usable(some), best)
       /\ Len(best.log) < LastSn
       /\ term' = [term EXCEPT ![t] = [@ EXCEPT !.stage = "writing", !.inc = best.inc, !.promises = {},
                     !.log = Append(best.log, Entry(term[t].epoch, "EPOCH_START")), !.start = Len(best.log) + 1,
                     !.holds = HeldAtFirst, !.purged = Gone(Usable(some), best)]]
  /\ UNCHANGED <<disk, aside, made, root, spent>>

------------------------------------ \* Writing
Write(t) ==
  /\ Writing(t) /\ Len(term[t].log) < LastSn
  /\ term' = [term EXCEPT ![t].log = Append(@, Entry(term[t].epoch, "EDITS"))]
  /\ UNCHANGED <<disk, aside, made, root, spent>>

(* A node receives entry sn of the term. What it had there of another epoch is cut with all that follows. *)
Follows(d, t, sn) == Len(d.log) >= sn - 1 /\ EpochAt(d.log, sn - 1) = EpochAt(term[t].log, sn - 1)             \* R2
Appended(d, t, sn) == IF Len(d.log) >= sn /\ d.log[sn].epoch = term[t].log[sn].epoch THEN d.log
                      ELSE Append(SubSeq(d.log, 1, sn - 1), term[t].log[sn])
Goal(d, t) == IF d.complete \/ d.goal[1] = t THEN d.goal ELSE <<t, Len(term[t].log)>>
CompleteNow(d, t, sn) == d.complete \/ sn >= Goal(d, t)[2]                                                      \* R9
Receive(p, t, sn) ==
  LET d == disk[p]
      complete == CompleteNow(d, t, sn) IN
  /\ Has(p) /\ Writing(t) /\ SameIncarnation(d, t) /\ Obeys(d, t) /\ Follows(d, t, sn)
  /\ disk' = [disk EXCEPT ![p] = [d EXCEPT !.promise = Promised(t), !.log = Appended(d, t, sn), !.complete = complete,
                !.goal = IF complete THEN <<0, 0>> ELSE Goal(d, t), !.lease = IF Leases THEN t ELSE 0]]
  /\ term' = [term EXCEPT ![t] = IF ~complete \/ ~Counts(p, d.id) THEN @ ELSE
                [@ EXCEPT !.acks[d.id] = Max({@, sn}), !.fresh = IF Leases THEN @ \cup {d.id} ELSE @]]
  /\ UNCHANGED <<aside, made, root, spent>>

(* What a majority has is flushed; what everyone who is read from has as well is committed (N1). Only entries of its
   own epoch count for a writer; older ones are committed with the first of its own that is. *)
OwnEpoch(t, sn) == sn >= term[t].start
MajorityHas(t, sn) == Majority({i \in Ids : term[t].acks[i] >= sn}, List(t).voters)
AckedAt(t, p) == Max({term[t].acks[i] : i \in {i \in Ids : i[1] = p}})
HoldersHave(t, but) == Min({LastSn} \cup {AckedAt(t, p) : p \in term[t].holds \ but})
Count(t) ==
  /\ Writing(t)
  /\ LET flushed == Max({term[t].flushed} \cup {sn \in 1..Len(term[t].log) : OwnEpoch(t, sn) /\ MajorityHas(t, sn)})
         committed == Max({term[t].committed, Min({flushed, HoldersHave(t, {})})}) IN
     /\ <<flushed, committed>> # <<term[t].flushed, term[t].committed>>
     /\ term' = [term EXCEPT ![t].flushed = flushed, ![t].committed = committed]
  /\ UNCHANGED <<disk, aside, made, root, spent>>

(* A node that is read from is told what all others that are have (N2). It takes what it has of what this writer
   sent for what it was told of, not whatever is in its log. *)
Told(t, p) == IF p \in Readers THEN Min({term[t].flushed, HoldersHave(t, {p})}) ELSE term[t].committed
ToBeKnown(p, t) == Min({Told(t, p), term[t].acks[disk[p].id], Len(disk[p].log)})
Hear(p, t) ==
  /\ Has(p) /\ Writing(t) /\ SameIncarnation(disk[p], t) /\ disk[p].promise = Promised(t) /\ Counts(p, disk[p].id)
  /\ ToBeKnown(p, t) > disk[p].known
  /\ disk' = [disk EXCEPT ![p].known = ToBeKnown(p, t)]
  /\ UNCHANGED <<aside, made, term, root, spent>>

------------------------------------ \* Leases
Alone(t) == Writing(t) /\ Majority(term[t].fresh, List(t).voters)
Forget(t, id) ==                                        \* the writer stops counting an acknowledgement, or steps down
  /\ id \in term[t].fresh
  /\ term' = [term EXCEPT ![t].fresh = @ \ {id}]
  /\ UNCHANGED <<disk, aside, made, root, spent>>
WriterForgot(d) == d.id \notin term[d.lease].fresh
LeaseOver(p) ==
  /\ disk[p].lease > 0 /\ WriterForgot(disk[p])
  /\ disk' = [disk EXCEPT ![p].lease = 0]
  /\ UNCHANGED <<aside, made, term, root, spent>>

MayBeRead(t, p) == Alone(t) /\ term[t].acks[disk[p].id] = Len(term[t].log)               \* N3
GrantRead(t, p) ==
  /\ Has(p) /\ p \in Readers /\ Writing(t) /\ disk[p].read # t /\ MayBeRead(t, p)
  /\ term' = [term EXCEPT ![t].holds = @ \cup {p}]
  /\ disk' = [disk EXCEPT ![p].read = t]
  /\ UNCHANGED <<aside, made, root, spent>>
ReadOver(p) ==
  /\ disk[p].read > 0
  /\ disk' = [disk EXCEPT ![p].read = 0]
  /\ UNCHANGED <<aside, made, term, root, spent>>
ReaderStopped(t, p) == disk[p].read \notin {u \in Terms : term[u].epoch <= term[t].epoch}   \* N3, N7
HoldOver(t, p) ==
  /\ Writing(t) /\ p \in term[t].holds /\ ReaderStopped(t, p)
  /\ term' = [term EXCEPT ![t].holds = @ \ {p}]
  /\ UNCHANGED <<disk, aside, made, root, spent>>
(* A reader shows its node's whole log, once it knows it to be committed (N5). *)
Reads(p) == disk[p].read > 0 /\ disk[p].promise.term = disk[p].read /\ disk[p].complete

------------------------------------ \* Members
InSync(t) == {i \in Ids : term[t].acks[i] = Len(term[t].log)}
MayChange(t) == term[t].committed >= term[t].start /\ ListAt(term[t].log) <= term[t].committed                  \* R7
Succeeded(list, old, id) == [voters |-> list.voters \ {old}, learners |-> list.learners \cup {id}]               \* R7
MayJoin(t) == (InSync(t) \ MembersOf(List(t))) \ Retired(term[t].log)                                           \* R8
NewLists(t) ==
  LET list == List(t)
      new == MayJoin(t) IN
  {Succeeded(list, x[1], x[2]) : x \in {y \in list.voters \X new : y[1][1] = y[2][1]}}                  \* a lost disk's
  \cup {[voters |-> list.voters \cup {id}, learners |-> list.learners \ {id}] : id \in list.learners \cap InSync(t)}
  \cup {[list EXCEPT !.learners = @ \cup {id}] : id \in {i \in new : \A m \in MembersOf(list) : m[1] # i[1]}}
  \cup {[list EXCEPT !.voters = @ \ {id}] : id \in list.voters}
Change(t, list) ==
  /\ Writing(t) /\ MayChange(t) /\ Len(term[t].log) < LastSn /\ Majority(InSync(t), list.voters) /\ Spend("change")
  /\ term' = [term EXCEPT ![t].log = Append(@, ListEntry(term[t].epoch, list))]
  /\ UNCHANGED <<disk, aside, made, root>>
Give(p, t) ==                                             \* FORMAT of an empty node: it has seen nothing, so it may vote
  /\ ~Has(p) /\ Writing(t) /\ made[p] < Generations
  /\ made' = [made EXCEPT ![p] = @ + 1]
  /\ disk' = [disk EXCEPT ![p] = [Empty(p) EXCEPT !.id = <<p, made[p] + 1>>, !.inc = term[t].inc]]
  /\ UNCHANGED <<aside, term, root, spent>>

------------------------------------ \* Faults
Restarted(d) == [d EXCEPT !.known = 0, !.read = 0]        \* all else is durable
Crash(p) ==
  /\ Has(p) /\ Restarted(disk[p]) # disk[p] /\ Spend("crash")
  /\ disk' = [disk EXCEPT ![p] = Restarted(@)]
  /\ UNCHANGED <<aside, made, term, root>>
Emptied(p) == Empty(p)                                                                   \* R8: the id goes with the disk
Lose(p) ==
  /\ Has(p) /\ Spend("loss")
  /\ aside' = IF Budget.return = 0 THEN aside ELSE [aside EXCEPT ![p] = Restarted(disk[p])]
  /\ disk' = [disk EXCEPT ![p] = Emptied(p)]
  /\ UNCHANGED <<made, term, root>>
Return(p) ==
  /\ aside[p].id[2] > 0 /\ Spend("return")
  /\ disk' = [disk EXCEPT ![p] = aside[p]]
  /\ aside' = [aside EXCEPT ![p] = Empty(p)]
  /\ UNCHANGED <<made, term, root>>
FoundDamaged(d, sn) == [Restarted(d) EXCEPT !.log = SubSeq(@, 1, sn), !.complete = FALSE, !.goal = <<0, 0>>]   \* R9
Damage(p, sn) ==
  /\ Has(p) /\ sn < Len(disk[p].log) /\ Spend("damage")
  /\ disk' = [disk EXCEPT ![p] = FoundDamaged(@, sn)]
  /\ UNCHANGED <<aside, made, term, root>>
Copy(p, q) ==                                             \* q's disk is replaced by a copy of p's, and claims its id
  /\ p # q /\ Has(p) /\ Counts(p, disk[p].id) /\ Spend("copy")
  /\ disk' = [disk EXCEPT ![q] = Restarted(disk[p])]
  /\ UNCHANGED <<aside, made, term, root>>

------------------------------------ \* Promotion
(* Without a majority, an operator makes one survivor the only voter of a new incarnation. The vow that the others never
   vote again may be broken: here they carry on. *)
OnlyVoter(d, id) == [voters |-> {id}, learners |-> {}]
Promote(p) ==
  LET d == disk[p]
      id == <<p, made[p] + 1>>
      epoch == d.promise.epoch + 1
      log == Append(d.log, ListEntry(epoch, OnlyVoter(d, id))) IN
  /\ Has(p) /\ d.complete /\ Len(d.log) < LastSn /\ made[p] < Generations /\ epoch <= LastEpoch /\ Spend("promotion")
  /\ made' = [made EXCEPT ![p] = @ + 1]
  /\ disk' = [disk EXCEPT ![p] = [Empty(p) EXCEPT !.id = id, !.inc = 2, !.log = log, !.known = Len(log),
                                                  !.promise = [epoch |-> epoch, term |-> 0]]]
  /\ root' = log
  /\ UNCHANGED <<aside, term>>
Retire(p, t) ==                                           \* storage of a lower incarnation, or dropped, is moved aside
  /\ Has(p) /\ Writing(t) /\ (disk[p].inc < term[t].inc \/ (SameIncarnation(disk[p], t) /\ disk[p].id \in Retired(Committed(t))))
  /\ disk' = [disk EXCEPT ![p] = Empty(p)]
  /\ UNCHANGED <<aside, made, term, root, spent>>

------------------------------------ \* Purging
KeptBy(log, committed) == Kept(log, committed)                        \* R10: the writer asks for no more, nor does a node obey
AskToPurge(t, sn) ==
  /\ Writing(t) /\ sn > term[t].purged /\ sn <= term[t].committed /\ sn < KeptBy(term[t].log, term[t].committed)
  /\ Spend("purge")
  /\ term' = [term EXCEPT ![t].purged = sn]
  /\ UNCHANGED <<disk, aside, made, root>>
Purge(p, t) ==
  /\ Has(p) /\ Writing(t) /\ SameIncarnation(disk[p], t) /\ disk[p].promise = Promised(t)
  /\ term[t].purged > disk[p].base /\ term[t].purged <= disk[p].known /\ term[t].purged < KeptBy(disk[p].log, disk[p].known)
  /\ disk' = [disk EXCEPT ![p].base = term[t].purged]
  /\ UNCHANGED <<aside, made, term, root, spent>>
MayKeep(t, sn) == sn > term[t].purged                                                                            \* R10
WriteBarrier(t, sn) ==
  /\ Writing(t) /\ Len(term[t].log) < LastSn /\ MayKeep(t, sn) /\ Spend("barrier")
  /\ term' = [term EXCEPT ![t].log = Append(@, [Entry(term[t].epoch, "BARRIER") EXCEPT !.keeps = sn])]
  /\ UNCHANGED <<disk, aside, made, root>>
Release(t, sn) ==
  /\ Writing(t) /\ Len(term[t].log) < LastSn /\ Kept(term[t].log, Len(term[t].log)) = sn
  /\ term' = [term EXCEPT ![t].log = Append(@, [Entry(term[t].epoch, "RELEASE") EXCEPT !.keeps = sn])]
  /\ UNCHANGED <<disk, aside, made, root, spent>>

Next == \/ \E t \in Terms : \/ \E e \in 2..LastEpoch : Want(t, e)
                            \/ Begin(t) \/ Write(t) \/ Count(t)
                            \/ \E p \in Places : Promise(p, t) \/ Hear(p, t) \/ GrantRead(t, p) \/ HoldOver(t, p)
                                                 \/ Give(p, t) \/ Retire(p, t) \/ Purge(p, t)
                            \/ \E p \in Places, sn \in 1..Len(term[t].log) : Receive(p, t, sn)
                            \/ \E id \in Ids : Forget(t, id)
                            \/ \E list \in NewLists(t) : Change(t, list)
                            \/ \E sn \in 1..Len(term[t].log) : AskToPurge(t, sn) \/ WriteBarrier(t, sn) \/ Release(t, sn)
        \/ \E p \in Places : \/ LeaseOver(p) \/ ReadOver(p) \/ Crash(p) \/ Lose(p) \/ Return(p) \/ Promote(p)
                             \/ \E sn \in 0..LastSn : Damage(p, sn)
                             \/ \E q \in Places : Copy(p, q)
Spec == Init /\ [][Next]_vars

------------------------------------ \* What must hold
Later(t, u) == Writing(t) /\ Writing(u) /\ term[t].inc = term[u].inc /\ term[t].epoch < term[u].epoch
Same(t, u) == Writing(t) /\ Writing(u) /\ term[t].inc = term[u].inc
Kin(p, q) == Has(p) /\ Has(q) /\ disk[p].inc = disk[q].inc
Serves(p, t) == Has(p) /\ Writing(t) /\ disk[p].inc = term[t].inc
Home(p) == Has(p) /\ disk[p].id[1] = p
Acked(t) == {i \in Ids : term[t].acks[i] > 0}
Answered(t) == Acked(t) \cup {s.id : s \in {s \in term[t].promises : s.at = s.id[1]}}

(* A node never acts on an epoch below the one it promised, and stores a promise before it answers. *)
R1 == \A p \in Places : Has(p) =>
        /\ \A sn \in 1..Len(disk[p].log) : disk[p].log[sn].epoch <= disk[p].promise.epoch
        /\ \A t \in Terms : Home(p) /\ disk[p].id \in Answered(t) => disk[p].promise.epoch >= term[t].epoch
R1Steps == [][\A p \in Places : disk[p].id = disk'[p].id => disk[p].promise.epoch <= disk'[p].promise.epoch]_vars
(* Logs that have an entry in common have all before it in common; nothing that a node knows to be committed is cut. *)
Matching(a, b) == \A sn \in 1..Min({Len(a), Len(b)}) : a[sn].epoch = b[sn].epoch => SubSeq(a, 1, sn) = SubSeq(b, 1, sn)
R2 == /\ \A p \in Places : disk[p].known <= Len(disk[p].log)
      /\ \A p, q \in Places : Kin(p, q) => Matching(disk[p].log, disk[q].log)
      /\ \A p \in Places, t \in Terms : Serves(p, t) => Matching(disk[p].log, term[t].log)
R2Steps == [][\A p \in Places : disk[p].id = disk'[p].id /\ disk'[p].complete => Begins(Known(p), disk'[p].log)]_vars
(* Two committed entries with one sn are the same entry. *)
R3 == \A t, u \in Terms : Same(t, u) => Agree(Committed(t), Committed(u))
(* Every entry for which flush() returned is in the log of every later writer. *)
R4 == \A t, u \in Terms : Later(t, u) => Begins(Flushed(t), term[u].log)
(* After a majority promised e, nothing lower is committed that the writer of e lacks; an epoch has one writer. *)
R5 == \A t, u \in Terms : /\ Later(t, u) => Begins(Committed(t), term[u].log)
                          /\ Same(t, u) /\ term[t].epoch = term[u].epoch => t = u
(* Readers are given committed entries only; those near may be given what only they had to have yet. *)
R6 == \A p \in Places : Has(p) /\ disk[p].known > 1 =>
        \/ Begins(Known(p), root)
        \/ \E t \in Terms : Serves(p, t) /\ Begins(Known(p), IF p \in Readers THEN Flushed(t) ELSE Committed(t))
(* Members change one voter at a time, the change before is committed, and a voter was a learner before. *)
Changes(log) == {n \in 2..Len(log) : log[n].kind = "MEMBERS" /\ ~(n = Len(root) /\ Begins(root, log))}
R7 == \A t \in Terms : Writing(t) => \A n \in Changes(term[t].log) :
        LET old == Members(SubSeq(term[t].log, 1, n - 1))
            new == term[t].log[n].list IN
        /\ Cardinality((new.voters \ old.voters) \cup (old.voters \ new.voters)) <= 1
        /\ new.voters \ old.voters \subseteq old.learners
        /\ n > term[t].start => term[t].committed >= Max({term[t].start} \cup {m \in Changes(term[t].log) : m < n})
(* An id that was dropped is never a member again. *)
R8 == \A t \in Terms : Writing(t) => \A n \in Changes(term[t].log) :
        MembersOf(term[t].log[n].list) \cap Retired(SubSeq(term[t].log, 1, n - 1)) = {}
(* A node that calls its log complete has all that it acknowledged. *)
R9 == \A t \in Terms, p \in Places : Home(p) /\ Serves(p, t) /\ disk[p].complete /\ disk[p].promise = Promised(t)
        => Len(disk[p].log) >= term[t].acks[disk[p].id]
(* A majority has not purged what a committed barrier keeps. *)
R10 == \A t \in Terms : Writing(t) /\ (\A u \in Terms : ~Later(t, u)) =>
         LET purged == {disk[p].id : p \in {p \in Places : Home(p) /\ disk[p].base >= Kept(Committed(t), term[t].committed)}} IN
         Majority(List(t).voters \ purged, List(t).voters)
(* Nothing passes from one incarnation to another. *)
R11 == root # <<>> => /\ \A p \in Places : IF disk[p].inc = 2 THEN Agree(root, disk[p].log) ELSE ~Begins(root, disk[p].log)
                      /\ \A t \in Terms : Writing(t) => (term[t].inc = 2 <=> Begins(root, term[t].log))
(* What counts as a member's was done where the member is, not by a copy of its disk elsewhere. *)
R12 == \A p, q \in Places : p # q /\ Home(p) /\ disk[q].id = disk[p].id => \A t \in Terms :
         /\ disk[p].id \in Answered(t) => disk[p].promise.epoch >= term[t].epoch
         /\ disk[p].promise = Promised(t) => Len(disk[p].log) >= term[t].acks[disk[p].id]
(* A voter that acknowledged promises nothing higher before the lease has expired. *)
L1 == \A p \in Places : disk[p].lease > 0 => disk[p].promise.term = disk[p].lease
(* One writer believes itself alone, and then no later one has begun: its answers are not outdated. *)
L2 == \A t \in Terms : Alone(t) => \A u \in Terms : ~Later(t, u) /\ (Same(t, u) /\ Alone(u) => t = u)
(* A near read shows all that anybody had been told before it. *)
L3 == \A p \in Places : Reads(p) =>
        /\ \A t \in Terms : Serves(p, t) => Begins(Committed(t), disk[p].log)
        /\ \A q \in Places : Kin(p, q) => Begins(Known(q), disk[p].log)
(* Nothing is asked before the term is wanted. *)
L4 == \A t \in Terms : term[t].stage = "idle" => term[t] = Idle /\ \A p \in Places : disk[p].promise.term # t
==========================================================================================
