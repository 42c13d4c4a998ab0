/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
// Shows the document of "status" and asks for it again every two seconds while somebody looks. Everything that was
// answered becomes text, never markup.
(function () {
  'use strict';
  var EVERY_MILLIS = 2000;
  var ARCHIVE_LAG_SECONDS = 30;
  var MARKS = {healthy: '✓', degraded: '!', down: '✕'};
  var STEPS = [
    ['lockedAfterMs', 'lock'], ['promisedAfterMs', 'promise'], ['activatedAfterMs', 'active'], ['announcedAfterMs', 'announced']
  ];

  function by(id) { return document.getElementById(id); }

  function make(tag, text, cssClass) {
    var element = document.createElement(tag);
    if (text !== undefined && text !== null) { element.textContent = String(text); }
    if (cssClass) { element.className = cssClass; }
    return element;
  }

  function replace(parent, children) {
    while (parent.firstChild) { parent.removeChild(parent.firstChild); }
    children.forEach(function (child) { parent.appendChild(child); });
  }

  function known(value) { return value !== null && value !== undefined && value !== ''; }
  function orDash(value) { return known(value) ? value : '–'; }
  function time(millis) {
    return millis ? new Date(millis).toISOString().replace('T', ' ').replace(/\.\d+Z$/, 'Z') : '–';
  }
  function millis(micros) { return known(micros) ? (micros / 1000).toFixed(1) : '–'; }
  function bytes(count) {
    var units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    var unit = 0;
    while (count >= 1024 && unit < units.length - 1) { count /= 1024; unit++; }
    return (unit ? count.toFixed(1) : count) + ' ' + units[unit];
  }

  // Without the names of Java's classes.
  function plain(trouble) { return trouble.replace(/[\w.$]+Exception: /g, ''); }

  // A column is [heading, value, options]; a value may be a node.
  function table(columns, rows) {
    var head = make('tr');
    columns.forEach(function (column) { head.appendChild(make('th', column[0], column[2])); });
    var body = make('tbody');
    rows.forEach(function (row) {
      var line = make('tr');
      columns.forEach(function (column) {
        var value = column[1](row);
        var cell = make('td', value instanceof Node ? null : orDash(value), column[2]);
        if (value instanceof Node) { cell.appendChild(value); }
        cell.setAttribute('data-label', column[0]);
        line.appendChild(cell);
      });
      body.appendChild(line);
    });
    var element = make('table');
    var top = make('thead');
    top.appendChild(head);
    element.appendChild(top);
    element.appendChild(body);
    return element;
  }

  function show(id, columns, rows, nothing) {
    replace(by(id), [rows.length ? table(columns, rows) : make('p', nothing, 'note')]);
  }

  // Addresses come from the configuration; what is none becomes text and no link.
  function linked(member) {
    if (!/^[A-Za-z0-9._:\[\]-]+$/.test(member.http || '')) { return make('span', member.name); }
    var link = make('a', member.name);
    link.href = location.protocol + '//' + member.http + '/trefoil/';
    return link;
  }

  function health(member) {
    if (!member.answered) { return make('span', '✕ ' + member.trouble, 'bad'); }
    if (member.reason) { return make('span', '! ' + member.reason, 'bad'); }
    if (!member.zooKeeper) { return make('span', '! cannot reach ZooKeeper', 'bad'); }
    return make('span', '✓ ok' + (member.warmUp === 'pending' ? ', warming up' : ''), 'ok');
  }

  function state(member) {
    if (!member.answered) { return make('span', '? unknown'); }
    var text = member.state || 'starting';
    if (member.role === 'observer') { text += ', observer'; }
    if (!member.electable) { text += ', not electable'; }
    if (member.drained) { text += ', drained'; }
    if (member.preferred) { text += ', preferred'; }
    if (member.preparing) { text += ', preparing'; }
    if (member.changing) { text += ', changing'; }
    return make(member.state === 'active' ? 'strong' : 'span', (member.state === 'active' ? '● ' : '○ ') + text);
  }

  function nodeState(node) {
    var fine = node.state === 'serves';
    var text = (fine ? '✓ ' : '✕ ') + node.state + (node.trouble ? ': ' + plain(node.trouble) : '');
    if (node.diskSilentMillis > 3000) {
      fine = false;
      text = '✕ its disk is silent for ' + Math.round(node.diskSilentMillis / 1000) + ' s';
    }
    return make('span', text, fine ? 'ok' : 'bad');
  }

  function inSync(node) {
    if (!known(node.inSync)) { return make('span', '–'); }
    return make('span', node.inSync ? '✓ yes' : '✕ no', node.inSync ? 'ok' : 'bad');
  }

  function drawn(tag, attributes) {
    var element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    Object.keys(attributes).forEach(function (name) { element.setAttribute(name, attributes[name]); });
    return element;
  }

  // One line from the left, an hour ago, to now; with gaps where nobody wrote.
  function curve(label, unit, values, everySeconds) {
    var points = 3600 / everySeconds;
    var seen = values.filter(known);
    var top = Math.max.apply(null, seen.concat([1]));
    var text = label + ': now ' + round(seen[seen.length - 1]) + ' ' + unit + ', at most ' + round(Math.max.apply(null, seen)) + ' ' + unit;
    var picture = drawn('svg', {viewBox: '0 0 ' + points + ' 60', preserveAspectRatio: 'none', role: 'img', 'aria-label': text});
    var path = '';
    values.forEach(function (value, i) {
      if (!known(value)) { return; }
      var goesOn = i > 0 && known(values[i - 1]);
      path += (goesOn ? 'L' : 'M') + (points - values.length + i) + ' ' + (58 - 56 * value / top).toFixed(1);
      if (!goesOn) { path += 'h0.5'; }
    });
    picture.appendChild(drawn('path', {d: path, 'vector-effect': 'non-scaling-stroke'}));
    var figure = make('figure');
    figure.appendChild(make('figcaption', text));
    figure.appendChild(picture);
    return figure;
  }

  function round(value) { return value < 10 ? Math.round(value * 10) / 10 : Math.round(value); }

  function hour(status) {
    if (!known(status.hour)) {
      replace(by('hour'), [make('p', 'Nothing yet: an active remembers what it wrote itself, since it became active.', 'note')]);
      return;
    }
    var every = status.hour.everySeconds;
    replace(by('hour'), [
      curve('Commits', 'a second', status.hour.commits.map(function (n) { return known(n) ? n / every : null; }), every),
      curve('Lag of the slowest pool node', 'ms', status.hour.lagMillis, every)
    ]);
  }

  function verdict(status) {
    var level = status.verdict.level;
    by('verdict').className = MARKS[level] ? level : 'unknown';
    by('mark').textContent = MARKS[level] || '?';
    by('text').textContent = status.verdict.sentence;
    replace(by('findings'), status.verdict.findings.map(function (finding) {
      var item = make('li', finding.what);
      item.appendChild(make('span', finding.advice));
      return item;
    }));
    document.title = (MARKS[level] || '?') + ' ' + status.nameservice + ' – Trefoil';
    by('nameservice').textContent = status.nameservice;
  }

  // A column behind the first one, where anything has a site.
  function withSite(status, columns) {
    var placed = status.members.concat(status.pool.nodes).some(function (row) { return known(row.site); });
    return placed ? [columns[0], ['site', function (row) { return row.site; }]].concat(columns.slice(1)) : columns;
  }

  // A column before the last one, where any NameNode forwards calls.
  function withForwarding(status, columns) {
    if (!status.members.some(function (m) { return known(m.forwarding); })) { return columns; }
    var last = columns.length - 1;
    return columns.slice(0, last).concat([['forwarded calls', forwarded, 'number'], columns[last]]);
  }

  function forwarded(member) {
    if (!known(member.forwarding)) { return undefined; }
    var waiting = member.forwarding.waiting;
    return member.forwarding.forwarded + (waiting ? ', ' + waiting + ' wait' : '');
  }

  function members(status) {
    show('members', withForwarding(status, withSite(status, [
      ['NameNode', linked],
      ['state', state],
      ['since', function (m) { return time(m.since); }],
      ['health', health, 'long'],
      ['txid', function (m) { return m.txId; }, 'number'],
      ['lag, txns', function (m) { return m.lag; }, 'number'],
      ['lag, ms', function (m) { return m.lagMillis; }, 'number'],
      ['epoch', function (m) { return m.epoch; }, 'number'],
      ['lease, ms', function (m) { return m.leaseMillis; }, 'number'],
      ['derived lease', function (m) { return m.derivedLeaseMillis && m.derivedLeaseMillis + ' ms: ' + m.derivedLeaseReason; }, 'long'],
      ['held calls', function (m) { return m.heldCalls; }, 'number'],
      ['version', function (m) { return m.version; }]
    ])), status.members, 'No NameNode is configured.');
  }

  function ledgers(status) {
    var l = status.ledgers;
    by('poolline').textContent = 'The entries are in BookKeeper: epoch ' + l.epoch + ', committed up to entry ' + l.committed
        + ', transaction ' + l.txId + '; may lose ' + l.mayLose + ' more bookies';
    show('nodes', [
      ['ledger', function (row) { return row.ledger; }, 'number'],
      ['first entry', function (row) { return row.firstEntry; }, 'number'],
      ['quorum', function (row) { return row.quorum; }, 'number'],
      ['bookies', function (row) { return row.bookies.join(', '); }, 'long'],
      ['missing', function (row) { return row.missing.join(', '); }, 'long']
    ], l.list, 'No ledger is known.');
  }

  function pool(status) {
    if (status.ledgers) {
      ledgers(status);
      return;
    }
    var p = status.pool;
    by('poolline').textContent = p.votersServing + ' of ' + p.voters + ' voters serve, ' + p.majority
        + ' are a majority; committed up to entry ' + p.committed + ', transaction ' + p.txId;
    show('nodes', withSite(status, [
      ['node', function (n) { return n.address + (n.nameNode ? ' (' + n.nameNode + ')' : ''); }],
      ['kind', function (n) { return n.kind || 'no member'; }],
      ['state', nodeState, 'long'],
      ['in sync', inSync],
      ['lag, entries', function (n) { return n.lag; }, 'number'],
      ['lag, ms', function (n) { return n.lagMillis; }, 'number'],
      ['timeouts', function (n) { return n.timeouts; }, 'number'],
      ['epoch', function (n) { return n.epoch; }, 'number'],
      ['disk p99, ms', function (n) { return millis(n.diskP99Micros); }, 'number']
    ]), p.nodes, 'No pool node is configured.');
  }

  function failovers(status) {
    var newestFirst = status.failovers.slice().reverse();
    // A first election waits for the other NameNodes to start: it would make slivers of all failovers.
    var longest = Math.max.apply(null, newestFirst.filter(function (f) { return f.from; })
      .map(function (f) { return f.announcedAfterMs; }).concat(1));
    replace(by('failovers'), newestFirst.map(function (failover) {
      var item = make('li');
      item.appendChild(make('div', time(failover.detectedAt) + '  ' + (failover.from || 'no NameNode') + ' → ' + failover.to
          + ' in ' + failover.announcedAfterMs + ' ms: ' + failover.cause));
      var bar = make('div', null, 'bar');
      bar.style.width = Math.min(100, Math.max(1, 100 * failover.announcedAfterMs / longest)) + '%';
      bar.setAttribute('aria-hidden', 'true');
      var before = 0;
      var words = STEPS.map(function (step, index) {
        var took = Math.max(0, failover[step[0]] - before);
        before = Math.max(before, failover[step[0]]);
        var part = make('i', null, 's' + index);
        part.style.flexGrow = took;
        bar.appendChild(part);
        return step[1] + ' ' + took + ' ms';
      });
      item.appendChild(bar);
      item.appendChild(make('div', words.join(' · '), 'note'));
      return item;
    }));
    if (!newestFirst.length) { replace(by('failovers'), [make('li', 'None is recorded.', 'note')]); }
  }

  // Each member knows what it heard of the others, so the smallest lag is right. As hdfs trefoil status says it.
  function archive(status) {
    var told = status.members.filter(function (m) { return known(m.archive); });
    by('archives').hidden = !told.length;
    if (!told.length) { return; }
    var lag = Math.min.apply(null, told.map(function (m) { return m.archive.lagSeconds; }));
    var writers = told.filter(function (m) { return m.archive.archiving; }).map(function (m) { return m.name; });
    var late = lag > ARCHIVE_LAG_SECONDS;
    by('archive').className = late ? 'bad' : '';
    by('archive').textContent = (writers.length ? writers.join(' and ') + ' archives' : 'no NameNode archives') + (late
        ? ', and the archive lacks what was committed in the last ' + lag + ' s; see the logs of the NameNodes for the reason'
        : ', all but the last ' + lag + ' s is in the archive');
  }

  function kept(status) {
    var rows = status.checkpoints.map(function (c) { return {kind: 'checkpoint', b: c}; })
        .concat(status.pins.map(function (p) { return {kind: 'pin', b: p}; }));
    show('barriers', [
      ['barrier', function (r) { return r.b.name; }],
      ['kind', function (r) { return r.kind; }],
      ['transaction', function (r) { return r.b.txId; }, 'number'],
      ['keeps from', function (r) { return r.b.keepFrom; }, 'number'],
      ['for', function (r) { return r.b.owner; }],
      ['until', function (r) { return r.kind === 'pin' ? r.b.until || 'unpinned' : 'deleted'; }]
    ], rows, 'None: nothing keeps the journal from being purged.');
    show('images', [
      ['transaction', function (i) { return i.txId; }, 'number'],
      ['size', function (i) { return bytes(i.bytes); }, 'number'],
      ['at', function (i) { return i.nodes.join(', '); }]
    ], status.images, 'No pool node holds an image.');
    show('settings', [
      ['setting', function (s) { return s.name; }],
      ['value', function (s) { return s.value; }, 'long'],
      ['default', function (s) { return s.default; }],
      ['at', function (s) { return s.nameNodes.join(', '); }]
    ], status.settings, 'None.');
  }

  function render(status) {
    verdict(status);
    members(status);
    pool(status);
    hour(status);
    failovers(status);
    archive(status);
    kept(status);
    by('freshness').textContent = 'as of ' + time(status.askedAt) + ', live';
  }

  function failed(why) {
    by('verdict').className = 'unknown';
    by('mark').textContent = '?';
    by('freshness').textContent = 'This NameNode does not answer (' + why + '); what is below is old. Asking again …';
  }

  function ask() {
    if (document.hidden) { return again(); }
    fetch('status', {cache: 'no-store', credentials: 'same-origin'}).then(function (answer) {
      if (!answer.ok) { throw new Error('HTTP ' + answer.status); }
      return answer.json();
    }).then(render).catch(function (problem) { failed(problem.message); }).then(again);
  }

  function again() { setTimeout(ask, EVERY_MILLIS); }

  ask();
}());
