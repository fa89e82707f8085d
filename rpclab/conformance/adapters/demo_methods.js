// The demo methods as functions of their params, for the adapters in JavaScript.
// They are what a user of the library would write: nothing here reads a message.
'use strict';

// Return the params that a method names, by position or by name; refuse any others.
function take(params, names, refuse) {
  const byName = params !== null && typeof params === 'object' && !Array.isArray(params);
  const keys = byName ? Object.keys(params) : [];
  const values = byName ? names.map((name) => params[name]) : params ?? [];
  const fits = values.length === names.length && keys.every((key) => names.includes(key));
  if (!fits || values.some((value) => typeof value !== 'number')) {
    throw refuse('the params do not fit the method');
  }
  return values;
}

function minus([minuend, subtrahend]) {
  return minuend - subtrahend;
}

function plus([first, second]) {
  return first + second;
}

// refuse makes the error that the library wants for invalid params; notify sends a
// notification, if the library can.
function demoMethods(refuse, notify) {
  const ignore = () => null;
  const methods = {
    echo: (params) => params ?? [],
    subtract: (params) => minus(take(params, ['minuend', 'subtrahend'], refuse)),
    add: (params) => plus(take(params, ['first', 'second'], refuse)),
    sum: (params) => (params ?? []).reduce((total, value) => total + value, 0),
    get_data: () => ['hello', 5],
    boom: () => { throw new Error('boom'); },
    typeerr: () => undefined.length,
    keyerr: () => { throw new RangeError('key'); },
    update: ignore,
    notify_hello: ignore,
    notify_sum: ignore,
  };
  return notify ? { ...methods, slow: (params) => slow(params, notify) } : methods;
}

async function slow(params, notify) {
  const { seconds = 0.3, steps = 2 } = params ?? {};
  for (let done = 1; done <= steps; done += 1) {
    await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / steps));
    notify('progress', { done, total: steps });
  }
  return { steps };
}

// Yield each line of stdin as text: text-in libraries leave this loop to us.
function eachLine(use) {
  let parts = [];
  process.stdin.on('data', (chunk) => {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      use(Buffer.concat([...parts, rest.subarray(0, end)]).toString());
      parts = [];
      rest = rest.subarray(end + 1);
    }
    parts.push(rest);
  });
  process.stdin.on('end', () => {
    const last = Buffer.concat(parts).toString();
    if (last) use(last);
  });
}

function write(response) {
  process.stdout.write(`${JSON.stringify(response)}\n`);
}

module.exports = { demoMethods, eachLine, write };
