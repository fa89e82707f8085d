// vscode-jsonrpc: a message connection over stdin and stdout, as in its README.
'use strict';

const rpc = require('vscode-jsonrpc/node');
const { demoMethods } = require('./demo_methods.js');

const connection = rpc.createMessageConnection(
  new rpc.StreamMessageReader(process.stdin),
  new rpc.StreamMessageWriter(process.stdout),
);

// A handler gets params by position one by one, params by name as one object, and a token.
function whole(given) {
  const params = given.slice(0, -1);
  const [only] = params;
  const byName = params.length === 1 && Object.prototype.toString.call(only) === '[object Object]';
  return byName ? only : params;
}

const refuse = (message) => new rpc.ResponseError(rpc.ErrorCodes.InvalidParams, message);
const notify = (method, params) => connection.sendNotification(method, params);
const methods = { ...demoMethods(refuse, notify), badresult: () => 1n };
for (const [name, method] of Object.entries(methods)) {
  connection.onRequest(name, (...given) => method(whole(given)));
  connection.onNotification(name, (...given) => { method(given.length === 1 ? given[0] : given); });
}
connection.listen();
