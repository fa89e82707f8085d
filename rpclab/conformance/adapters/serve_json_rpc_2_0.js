// json-rpc-2.0: JSONRPCServer.receiveJSON() takes a text and promises a response, or null.
'use strict';

const { JSONRPCErrorCode, JSONRPCErrorException, JSONRPCServer } = require('json-rpc-2.0');
const { demoMethods, eachLine, write } = require('./demo_methods.js');

const refuse = (message) => new JSONRPCErrorException(message, JSONRPCErrorCode.InvalidParams);
const server = new JSONRPCServer();
for (const [name, method] of Object.entries(demoMethods(refuse))) {
  server.addMethod(name, method);
}

eachLine((line) => {
  server.receiveJSON(line).then((response) => {
    if (response) write(response);
  });
});
