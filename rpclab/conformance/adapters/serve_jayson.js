// jayson: Server.call() takes a text and calls back with an error or a response, or neither.
'use strict';

const jayson = require('jayson/promise');
const { demoMethods, eachLine, write } = require('./demo_methods.js');

const server = new jayson.Server();
const refuse = (message) => server.error(-32602, message);
for (const [name, method] of Object.entries(demoMethods(refuse))) {
  server.method(name, async (params) => method(params));
}

eachLine((line) => {
  server.call(line, (error, response) => {
    if (error || response) write(error || response);
  });
});
