// Copyright The Trefoil Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"
)

// A history of calls, each after the one before unless it is told to last.
type history struct {
	calls []call
	now   int64
}

func (h *history) call(in input, out output) *history {
	h.now += 10
	h.calls = append(h.calls, call{Client: len(h.calls), Input: in, Output: out, From: h.now, To: h.now + 5})
	return h
}

func (h *history) unknown(in input) *history {
	h.call(in, output{Answer: "unknown"})
	h.calls[len(h.calls)-1].To = never
	return h
}

func (h *history) lists(found directory) *history {
	return h.call(input{Op: "list"}, output{Answer: "done", Found: found})
}

func (h *history) audit(found directory) *history {
	h.lists(found)
	h.calls[len(h.calls)-1].Client = auditor
	return h
}

func (h *history) mustBe(t *testing.T, wanted string) {
	t.Helper()
	if told := verdict(h.calls, time.Minute); told != wanted {
		t.Errorf("%s in place of %s: %v", told, wanted, h.calls)
	}
}

var (
	done    = output{Answer: "done"}
	missing = output{Answer: "missing"}
	exists  = output{Answer: "exists"}
	differ  = output{Answer: "differ"}
)

func create(name int, entry int64) input { return input{Op: "create", Name: name, Entry: entry} }
func mkdir(name int, entry int64) input  { return input{Op: "mkdir", Name: name, Entry: entry} }
func remove(name int) input              { return input{Op: "delete", Name: name} }
func rename(name, to int) input          { return input{Op: "rename", Name: name, To: to} }

func TestAcceptsWhatHdfsAnswers(t *testing.T) {
	new(history).call(create(0, 1), done).call(create(0, 2), exists).call(mkdir(0, -1), exists).
		call(mkdir(1, -2), done).call(mkdir(1, -3), done).call(rename(0, 1), differ).call(rename(2, 0), missing).
		lists(directory{1, -2, 0}).call(create(2, 3), done).call(rename(2, 0), done).lists(directory{3, -2, 0}).
		call(remove(1), done).call(remove(1), missing).audit(directory{3, 0, 0}).mustBe(t, "fine")
}

func TestRefusesLostAcknowledgedCreate(t *testing.T) {
	new(history).call(create(0, 1), done).audit(directory{}).mustBe(t, "lost")
}

func TestRefusesAcknowledgedDeleteUndone(t *testing.T) {
	new(history).call(create(0, 1), done).call(remove(0), done).audit(directory{1}).mustBe(t, "lost")
}

func TestRefusesDoubledEffect(t *testing.T) {
	// The create was executed again after the delete, and what it made was renamed.
	new(history).call(create(0, 1), done).call(remove(0), done).call(rename(0, 1), done).mustBe(t, "contradiction")
}

func TestRefusesDoubledEffectOfUnknownCall(t *testing.T) {
	h := new(history).unknown(create(0, 1))
	h.call(rename(0, 1), done).call(rename(0, 2), done).audit(directory{0, 1, 1}).mustBe(t, "contradiction")
}

func TestRefusesDoubledMkdirByItsMode(t *testing.T) {
	new(history).call(mkdir(0, -7), done).call(remove(0), done).call(mkdir(0, -8), exists).audit(directory{-7}).
		mustBe(t, "contradiction")
}

func TestRefusesAnswerOfSecondExecution(t *testing.T) {
	// A rename that was executed twice under one call tells that there is nothing to rename.
	new(history).call(create(0, 1), done).call(rename(0, 1), missing).audit(directory{0, 1}).mustBe(t, "contradiction")
}

func TestRefusesStaleRead(t *testing.T) {
	new(history).call(create(0, 1), done).lists(directory{}).audit(directory{1}).mustBe(t, "stale read")
	new(history).call(create(0, 1), done).call(remove(0), done).call(create(0, 2), done).
		call(input{Op: "stat", Name: 0}, output{Answer: "done", Found: directory{1}}).audit(directory{2}).
		mustBe(t, "stale read")
}

func TestAcceptsUnknownCallThatHappenedOrDidNot(t *testing.T) {
	new(history).unknown(create(0, 1)).audit(directory{1}).mustBe(t, "fine")
	new(history).unknown(create(0, 1)).audit(directory{}).mustBe(t, "fine")
	new(history).unknown(create(0, 1)).lists(directory{}).lists(directory{1}).mustBe(t, "fine")
	new(history).unknown(create(0, 1)).lists(directory{1}).lists(directory{}).mustBe(t, "stale read")
}

func TestAcceptsEitherOrderOfConcurrentCalls(t *testing.T) {
	h := new(history).call(create(0, 1), done).call(create(0, 2), exists)
	h.calls[0].From, h.calls[0].To, h.calls[1].From, h.calls[1].To = 0, 10, 5, 15
	h.mustBe(t, "fine")
	h.calls[0].Output, h.calls[1].Output = exists, done
	h.mustBe(t, "fine")
	h.calls[1].Output = exists
	h.mustBe(t, "contradiction")
}

func TestIgnoresReadWithoutAnswer(t *testing.T) {
	new(history).call(create(0, 1), done).unknown(input{Op: "list"}).audit(directory{1}).mustBe(t, "fine")
}
