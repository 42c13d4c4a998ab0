// Copyright The Trefoil Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/colinmarc/hdfs/v2"
)

const (
	// Clients of one directory.
	sharers = 3
	// Calls of each client in a directory. A call whose answer is unknown may happen until the end of its directory's history, so that each
	// doubles the number of orders: histories are short, and a client without an answer waits for the next directory.
	callsInDirectory = 40
	between          = 5 * time.Millisecond
	// HDFS takes no smaller blocks by default.
	smallestBlock = 1 << 20
	checksummed   = 512
	ownersMode    = 0700
)

// A load of groups of clients, each group in one directory after the other.
type load struct {
	addresses []string
	root      string
	timeout   time.Duration
	began     time.Time
	entries   atomic.Int64
	ended     atomic.Int64
	longest   atomic.Int64
	mutex     sync.Mutex
	calls     []call
	errors    map[string]int
	refused   int
}

func newLoad(addresses []string, root string, timeout time.Duration) *load {
	return &load{addresses: addresses, root: root, timeout: timeout, began: time.Now(), errors: map[string]int{}}
}

// run works in new directories until it is told to stop.
func (l *load) run(group int, random *rand.Rand, stopped <-chan struct{}) {
	clients := make([]*client, sharers)
	for i := range clients {
		clients[i] = &client{load: l, number: group*sharers + i, random: rand.New(rand.NewSource(random.Int63()))}
	}
	for number := 0; ; number++ {
		select {
		case <-stopped:
			return
		default:
		}
		path := fmt.Sprintf("%s/%d-%d", l.root, group, number)
		if !clients[0].prepare(path, stopped) {
			return
		}
		var working sync.WaitGroup
		for _, one := range clients {
			working.Add(1)
			go func(one *client) {
				defer working.Done()
				for i := 0; i < callsInDirectory; i++ {
					if !one.callOnce(path, one.next()) {
						return
					}
					time.Sleep(between)
				}
			}(one)
		}
		working.Wait()
	}
}

// audit looks at every directory once, when all is over.
func (l *load) audit() error {
	auditing := &client{load: l, number: auditor}
	seen := map[string]bool{}
	for _, one := range append([]call(nil), l.calls...) {
		for deadline := time.Now().Add(time.Minute); !seen[one.Directory]; {
			seen[one.Directory] = auditing.callOnce(one.Directory, input{Op: "list"})
			if !seen[one.Directory] && time.Now().After(deadline) {
				return errors.New("no answer for " + one.Directory)
			}
		}
	}
	return nil
}

func (l *load) now() int64 {
	return int64(time.Since(l.began))
}

// One connection, and who works with it: one call after the other.
type client struct {
	load       *load
	number     int
	random     *rand.Rand
	connection *hdfs.Client
	// How often it had no answer. It begins with another address then, as the library would come back to one that hangs.
	failures int
}

func (c *client) next() input {
	asked := input{Name: c.random.Intn(names)}
	switch dice := c.random.Intn(100); {
	case dice < 25:
		asked.Op, asked.Entry = "create", c.load.entries.Add(1)
	case dice < 35:
		// As many as there are modes without those of the owner.
		asked.Op, asked.Entry = "mkdir", -(1 + c.random.Int63n(63))
	case dice < 55:
		asked.Op, asked.To = "rename", (asked.Name+1+c.random.Intn(names-1))%names
	case dice < 75:
		asked.Op = "delete"
	case dice < 88:
		asked.Op = "stat"
	default:
		asked.Op = "list"
	}
	return asked
}

func (c *client) connect() error {
	if c.connection != nil {
		return nil
	}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		connection, err := (&net.Dialer{Timeout: c.load.timeout}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &impatient{connection, c.load.timeout}, nil
	}
	first := c.failures % len(c.load.addresses)
	addresses := append(append([]string{}, c.load.addresses[first:]...), c.load.addresses[:first]...)
	connection, err := hdfs.NewClient(hdfs.ClientOptions{Addresses: addresses, User: "root", NamenodeDialFunc: dial})
	if err == nil {
		c.connection = connection
	}
	return err
}

// The library itself waits for an answer without end.
type impatient struct {
	net.Conn
	timeout time.Duration
}

func (i *impatient) Read(into []byte) (int, error) {
	if err := i.SetReadDeadline(time.Now().Add(i.timeout)); err != nil {
		return 0, err
	}
	return i.Conn.Read(into)
}

func (c *client) prepare(path string, stopped <-chan struct{}) bool {
	for {
		err := c.connect()
		if err == nil {
			if err = c.connection.MkdirAll(path, 0777); err == nil {
				return true
			}
			c.disconnect()
		}
		select {
		case <-stopped:
			return false
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// callOnce calls, records, and returns whether there was an answer.
func (c *client) callOnce(path string, asked input) bool {
	err := c.connect()
	from := c.load.now()
	told := output{Answer: "done"}
	if err == nil {
		told, err = c.execute(path, asked)
	}
	to := c.load.now()
	recorded := call{Directory: path, Client: c.number, Input: asked, Output: told, From: from, To: to}
	notExecuted := false
	if err != nil {
		c.disconnect()
		recorded.Output, recorded.To, recorded.Error = output{Answer: "unknown"}, never, words(err)
		// No connection was made, or each NameNode refused: the call itself was never taken. An exception of the RPC server, which closes the
		// connection, may come when it was.
		notExecuted = strings.Contains(recorded.Error, "no available namenodes") && !strings.Contains(recorded.Error, "ERROR_RPC_SERVER")
		time.Sleep(10 * between)
	}
	c.load.add(recorded, to-from, notExecuted)
	return err == nil
}

func (c *client) disconnect() {
	c.failures++
	if c.connection != nil {
		c.connection.Close()
		c.connection = nil
	}
}

var numbers = regexp.MustCompile(`[0-9]+`)

func (l *load) add(one call, nanos int64, notExecuted bool) {
	l.ended.Add(1)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if nanos > l.longest.Load() {
		l.longest.Store(nanos)
	}
	if one.Error != "" {
		text := strings.ReplaceAll(one.Error, one.Directory, "directory")
		l.errors[numbers.ReplaceAllString(text, "n")]++
	}
	if notExecuted {
		l.refused++
		return
	}
	l.calls = append(l.calls, one)
}

func (c *client) execute(path string, asked input) (output, error) {
	name := entry(path, asked.Name)
	switch asked.Op {
	case "create":
		file, err := c.connection.CreateFile(name, 1, smallestBlock+checksummed*asked.Entry, 0644)
		if err == nil {
			// Nothing changes in the directory; if somebody else has deleted or renamed the file, this fails.
			_ = file.Close()
		}
		return answered(err)
	case "mkdir":
		return answered(c.connection.Mkdir(name, os.FileMode(ownersMode-asked.Entry)))
	case "rename":
		return answered(c.connection.Rename(name, entry(path, asked.To)))
	case "delete":
		return answered(c.connection.Remove(name))
	case "stat":
		found := output{Answer: "done"}
		info, err := c.connection.Stat(name)
		if errors.Is(err, os.ErrNotExist) {
			return found, nil
		}
		if err == nil {
			found.Found[asked.Name] = entryOf(info)
		}
		return found, err
	}
	found := output{Answer: "done"}
	infos, err := c.connection.ReadDir(path)
	for _, info := range infos {
		found.Found[int(info.Name()[0]-'a')] = entryOf(info)
	}
	return found, err
}

func entry(path string, name int) string {
	return path + "/" + string(rune('a'+name))
}

func entryOf(info os.FileInfo) int64 {
	if info.IsDir() {
		return ownersMode - int64(info.Mode().Perm())
	}
	return int64(info.Sys().(*hdfs.FileStatus).GetBlocksize()-smallestBlock) / checksummed
}

func answered(err error) (output, error) {
	switch {
	case err == nil:
		return output{Answer: "done"}, nil
	case errors.Is(err, os.ErrNotExist):
		return output{Answer: "missing"}, nil
	case errors.Is(err, os.ErrExist):
		return output{Answer: "exists"}, nil
	case strings.Contains(words(err), " must both be "):
		return output{Answer: "differ"}, nil
	}
	return output{}, err
}

// words returns the first line of what a NameNode said, or else of the client's own error.
func words(err error) string {
	text := err.Error()
	var told hdfs.Error
	if errors.As(err, &told) {
		text = told.Exception() + ": " + told.Message()
	}
	first, _, _ := strings.Cut(text, "\n")
	return first
}
