// Copyright The Trefoil Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// The names in a directory. Few, so that clients meet.
const names = 3

// What is asked of a directory. A file is known by its block size and a directory by its mode, so that answers show which call made it.
type input struct {
	Op   string `json:"op"`
	Name int    `json:"name"`
	To   int    `json:"to"`
	// Of what is created: positive for a file, negative for a directory.
	Entry int64 `json:"entry,omitempty"`
}

// What a client was told.
type output struct {
	// "done", "missing" and "exists"; "differ" if one of the two names of a rename is a file and the other a directory; or "unknown".
	Answer string    `json:"answer"`
	Found  directory `json:"found"`
}

// What a directory contains; 0 where there is nothing.
type directory [names]int64

// A call of a client, in nanoseconds of one clock. What is unknown has no end.
type call struct {
	Directory string `json:"directory"`
	Client    int    `json:"client"`
	Input     input  `json:"input"`
	Output    output `json:"output"`
	From      int64  `json:"from"`
	To        int64  `json:"to"`
	Error     string `json:"error,omitempty"`
}

const never = math.MaxInt64

// A directory under one execution of each call, at an instant between call and answer. A call whose answer is unknown may have happened at any
// time since, or after all others, which is as good as never.
//
// The client asks for a status before it makes a directory, deletes or renames, and reports what it sees then as an answer. Each answer is
// explained by one of its two calls; where it hides which, the weaker reading counts.
var model = porcupine.Model{
	Init:              func() interface{} { return directory{} },
	Step:              step,
	Equal:             func(a, b interface{}) bool { return a.(directory) == b.(directory) },
	Hash:              hash,
	DescribeOperation: func(in, out interface{}) string { return describe(in.(input), out.(output)) },
	DescribeState:     func(state interface{}) string { return fmt.Sprint(state) },
}

func hash(state interface{}) uint64 {
	sum := uint64(17)
	for _, entry := range state.(directory) {
		sum = sum*1000003 + uint64(entry)
	}
	return sum
}

func step(state, in, out interface{}) (bool, interface{}) {
	before, asked, told := state.(directory), in.(input), out.(output)
	switch asked.Op {
	case "stat":
		return told.Found[asked.Name] == before[asked.Name], before
	case "list":
		return told.Found == before, before
	}
	answers, after := change(before, asked)
	if told.Answer == "unknown" {
		return true, after
	}
	return strings.Contains(answers, told.Answer), after
}

// change returns the answers that HDFS may give to a change, and what is there then.
func change(before directory, asked input) (string, directory) {
	there, after := before[asked.Name], before
	switch asked.Op {
	case "create":
		if there != 0 {
			return "exists", before
		}
		after[asked.Name] = asked.Entry
		return "done", after
	case "mkdir":
		if there > 0 {
			return "exists", before
		}
		if there < 0 {
			// HDFS's answer is that all is done, the client's that it exists.
			return "done exists", before
		}
		after[asked.Name] = asked.Entry
		return "done", after
	case "delete":
		after[asked.Name] = 0
		if there == 0 {
			// The client does not report that HDFS had nothing to delete.
			return "done missing", after
		}
		return "done", after
	case "rename":
		to := before[asked.To]
		if there == 0 {
			return "missing", before
		}
		if to != 0 && (to > 0) != (there > 0) {
			return "differ", before
		}
		// It overwrites.
		after[asked.To], after[asked.Name] = there, 0
		return "done", after
	}
	panic("no such operation: " + asked.Op)
}

func describe(asked input, told output) string {
	switch asked.Op {
	case "stat":
		return fmt.Sprintf("stat %d: %d", asked.Name, told.Found[asked.Name])
	case "list":
		return fmt.Sprintf("list: %v", told.Found)
	case "rename":
		return fmt.Sprintf("rename %d to %d: %s", asked.Name, asked.To, told.Answer)
	}
	return fmt.Sprintf("%s %d as %d: %s", asked.Op, asked.Name, asked.Entry, told.Answer)
}

func isRead(one call) bool {
	return one.Input.Op == "stat" || one.Input.Op == "list"
}

// The client that looks at all directories at the end.
const auditor = -1

// verdict says whether one order explains all that the clients of a directory were told: "fine"; if none does, "lost" if only the last look,
// when all is over, contradicts; "stale read" if one explains all changes; "contradiction" otherwise; "not decided" when time is up.
func verdict(calls []call, timeout time.Duration) string {
	if result := check(calls, timeout); result == porcupine.Ok {
		return "fine"
	} else if result == porcupine.Unknown {
		return "not decided"
	}
	if check(only(calls, func(one call) bool { return one.Client != auditor }), timeout) == porcupine.Ok {
		return "lost"
	}
	if check(only(calls, func(one call) bool { return !isRead(one) || one.Client == auditor }), timeout) == porcupine.Ok {
		return "stale read"
	}
	return "contradiction"
}

// check tries first without the unknown calls that left no trace: an order of the others is one of all, with these at its end.
func check(calls []call, timeout time.Duration) porcupine.CheckResult {
	seen := map[int64]bool{}
	for _, one := range calls {
		for _, entry := range one.Output.Found {
			seen[entry] = true
		}
	}
	traced := only(calls, func(one call) bool {
		return one.Output.Answer != "unknown" || (one.Input.Entry != 0 && seen[one.Input.Entry])
	})
	if porcupine.CheckOperationsTimeout(model, operations(traced), timeout) == porcupine.Ok {
		return porcupine.Ok
	}
	return porcupine.CheckOperationsTimeout(model, operations(calls), timeout)
}

func operations(calls []call) []porcupine.Operation {
	var history []porcupine.Operation
	for _, one := range calls {
		if isRead(one) && one.Output.Answer == "unknown" {
			continue
		}
		client := one.Client
		if client == auditor {
			client = 0
		}
		history = append(history, porcupine.Operation{
			ClientId: client, Input: one.Input, Call: one.From, Output: one.Output, Return: one.To,
		})
	}
	return history
}

func only(calls []call, wanted func(call) bool) []call {
	var some []call
	for _, one := range calls {
		if wanted(one) {
			some = append(some, one)
		}
	}
	return some
}
