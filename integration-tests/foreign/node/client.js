// Copyright The Trefoil Authors
// SPDX-License-Identifier: Apache-2.0

// webhdfs, a client of WebHDFS in Node: requests come as JSON lines, and one answer for each leaves as a JSON line (integration-tests/README.md).
// It hides whether HDFS did anything, so this looks before it deletes or renames; nobody else works in its directory.
const readline = require('readline');
const { promisify } = require('util');
const webhdfs = require('webhdfs');

const [host, port] = process.argv[2].split(',')[0].split(':');
const client = webhdfs.createClient({ user: 'foreign', host, port, path: '/webhdfs/v1' });
const call = (name, ...args) => promisify(client[name]).apply(client, args);

async function exists(path) {
  try {
    await call('stat', path);
    return true;
  } catch (e) {
    if (/does not exist|FileNotFound/.test(e.message)) {
      return false;
    }
    throw e;
  }
}

async function execute(op, path, other) {
  switch (op) {
    case 'read':
      return (await exists(path)) ? 'there is a directory' : 'there is nothing';
    case 'mkdirs':
      await call('mkdir', path, '0755');
      return 'yes';
    case 'delete':
      if (!(await exists(path))) {
        return 'no';
      }
      await call('unlink', path, true);
      return 'yes';
    case 'rename':
      if (!(await exists(path)) || (await exists(other))) {
        return 'no';
      }
      await call('rename', path, other);
      return 'yes';
    default:
      throw new Error('no such operation: ' + op);
  }
}

readline.createInterface({ input: process.stdin }).on('line', async (line) => {
  const request = JSON.parse(line);
  const answer = { client: request.client };
  try {
    answer.answer = await execute(request.op, ...request.arguments);
  } catch (e) {
    answer.error = String(e.message).slice(0, 500);
  }
  console.log(JSON.stringify(answer));
});
