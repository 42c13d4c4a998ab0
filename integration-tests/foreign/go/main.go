// Copyright The Trefoil Authors
// SPDX-License-Identifier: Apache-2.0

// The Go client github.com/colinmarc/hdfs/v2: requests come as JSON lines, and one answer for each leaves as a JSON line (integration-tests/README.md).
// It looks before it changes anything, and so does what it lacks here; nobody else works in its directory.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/colinmarc/hdfs/v2"
)

type request struct {
	Client    int      `json:"client"`
	Op        string   `json:"op"`
	Arguments []string `json:"arguments"`
}

type answer struct {
	Client int    `json:"client"`
	Answer string `json:"answer,omitempty"`
	Error  string `json:"error,omitempty"`
}

var writing sync.Mutex

func main() {
	addresses := strings.Split(os.Args[1], ",")
	requests := map[int]chan request{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var next request
		if err := json.Unmarshal(lines.Bytes(), &next); err != nil {
			panic(err)
		}
		if requests[next.Client] == nil {
			requests[next.Client] = make(chan request, 1)
			go serve(addresses, requests[next.Client])
		}
		requests[next.Client] <- next
	}
}

func serve(addresses []string, requests chan request) {
	var client *hdfs.Client
	for next := range requests {
		reply := answer{Client: next.Client}
		var err error
		if client == nil {
			client, err = hdfs.NewClient(hdfs.ClientOptions{Addresses: addresses, User: "foreign"})
		}
		if err == nil {
			reply.Answer, err = execute(client, next.Op, next.Arguments)
		}
		if err != nil {
			reply.Error = err.Error()
		}
		line, _ := json.Marshal(reply)
		writing.Lock()
		fmt.Println(string(line))
		writing.Unlock()
	}
}

func execute(client *hdfs.Client, op string, arguments []string) (string, error) {
	path := arguments[0]
	switch op {
	case "create":
		blockSize, _ := strconv.ParseInt(arguments[1], 10, 64)
		file, err := client.CreateFile(path, 1, blockSize, 0644)
		if err == nil {
			err = file.Close()
		}
		return done(err)
	case "delete":
		return done(client.Remove(path))
	case "rename":
		// It overwrites.
		if _, err := client.Stat(arguments[1]); err == nil {
			return "no", nil
		} else if !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
		return done(client.Rename(path, arguments[1]))
	case "mkdirs":
		return done(client.MkdirAll(path, 0755))
	}
	status, err := client.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return "there is nothing", nil
	} else if err != nil {
		return "", err
	} else if status.IsDir() {
		return "there is a directory", nil
	}
	return fmt.Sprintf("there is %d", status.Sys().(*hdfs.FileStatus).GetBlocksize()), nil
}

func done(err error) (string, error) {
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrExist) {
		return "no", nil
	}
	if err != nil {
		return "", err
	}
	return "yes", nil
}
