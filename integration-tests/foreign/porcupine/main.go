// Copyright The Trefoil Authors
// SPDX-License-Identifier: Apache-2.0

// Loads a cluster by the Go client github.com/colinmarc/hdfs/v2, and has Porcupine check what the clients were told: docs/design/porcupine.md.
//
//	checker load ADDRESSES ROOT GROUPS TIMEOUT FILE   until its input ends; tells each fifth of a second how many calls have ended
//	checker check FILE                                once more, what was recorded
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	progress = 200 * time.Millisecond
	// For one directory.
	patience = 30 * time.Second
)

// What was found; one line of JSON.
type report struct {
	Calls       int            `json:"calls"`
	Directories int            `json:"directories"`
	Unknown     int            `json:"unknown"`
	NotExecuted int            `json:"notExecuted"`
	LongestMs   int64          `json:"longestMs"`
	Errors      map[string]int `json:"errors"`
	// Directories by verdict.
	Verdicts map[string]int `json:"verdicts"`
}

func main() {
	if len(os.Args) == 7 && os.Args[1] == "load" {
		groups, err := strconv.Atoi(os.Args[4])
		must(err)
		timeout, err := time.ParseDuration(os.Args[5])
		must(err)
		load := newLoad(strings.Split(os.Args[2], ","), os.Args[3], timeout)
		loadUntilInputEnds(load, groups)
		must(load.audit())
		write(load.calls, os.Args[6])
		found := checkAll(load.calls, os.Args[6])
		found.NotExecuted, found.LongestMs, found.Errors = load.refused, load.longest.Load()/int64(time.Millisecond), load.errors
		tell(found)
	} else if len(os.Args) == 3 && os.Args[1] == "check" {
		tell(checkAll(read(os.Args[2]), os.Args[2]))
	} else {
		fmt.Fprintln(os.Stderr, "usage: checker load ADDRESSES ROOT GROUPS TIMEOUT FILE, or checker check FILE")
		os.Exit(2)
	}
}

func loadUntilInputEnds(load *load, groups int) {
	stopped := make(chan struct{})
	var working sync.WaitGroup
	for group := 0; group < groups; group++ {
		working.Add(1)
		go func(group int) {
			defer working.Done()
			load.run(group, rand.New(rand.NewSource(int64(group))), stopped)
		}(group)
	}
	go func() {
		for range time.Tick(progress) {
			fmt.Println(load.ended.Load())
		}
	}()
	_, _ = io.Copy(io.Discard, os.Stdin)
	close(stopped)
	working.Wait()
}

// checkAll checks each directory for itself, as no call concerns two. What no order explains is drawn beside the file.
func checkAll(calls []call, file string) report {
	directories := map[string][]call{}
	found := report{Calls: len(calls), Verdicts: map[string]int{}}
	for _, one := range calls {
		directories[one.Directory] = append(directories[one.Directory], one)
		if one.To == never {
			found.Unknown++
		}
	}
	found.Directories = len(directories)
	var paths []string
	for path := range directories {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		told := verdict(directories[path], patience)
		found.Verdicts[told]++
		if told != "fine" {
			fmt.Fprintf(os.Stderr, "%s: %s\n", path, told)
		}
		if told != "fine" && told != "not decided" {
			draw(directories[path], file+strings.ReplaceAll(path, "/", "-")+".html")
		}
	}
	return found
}

func draw(calls []call, file string) {
	_, information := porcupine.CheckOperationsVerbose(model, operations(calls), patience)
	must(porcupine.VisualizePath(model, information, file))
}

func write(calls []call, file string) {
	out, err := os.Create(file)
	must(err)
	lines := bufio.NewWriter(out)
	encoder := json.NewEncoder(lines)
	for _, one := range calls {
		must(encoder.Encode(one))
	}
	must(lines.Flush())
	must(out.Close())
}

func read(file string) []call {
	in, err := os.Open(file)
	must(err)
	defer in.Close()
	var calls []call
	for decoder := json.NewDecoder(in); ; {
		var one call
		err := decoder.Decode(&one)
		if err == io.EOF {
			return calls
		}
		must(err)
		calls = append(calls, one)
	}
}

func tell(found report) {
	line, err := json.Marshal(found)
	must(err)
	fmt.Println(string(line))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
