/**
 * Keeps the site for visits without a network: all of its files, checked by their hashes, under one name.
 * `bleuprint site` writes the two constants above this text when it builds a site:
 * VERSION, a hash of all files, and FILES, the address of each file below this one with its hash.
 */

/* global VERSION, FILES */
const PREFIX = `bleuprint ${self.registration.scope} `;
const CACHE = PREFIX + VERSION;

self.addEventListener("install", (event) => event.waitUntil(keepFiles()));
self.addEventListener("activate", (event) => event.waitUntil(dropOldCaches()));
self.addEventListener("fetch", (event) => {
  const address = addressOf(event.request);
  if (address) event.respondWith(answer(address, event.request));
});

async function keepFiles() {
  const cache = await caches.open(CACHE);
  const requests = Object.entries(FILES).map(
    ([name, integrity]) => new Request(new URL(name, self.registration.scope), { integrity, cache: "no-cache" }),
  );
  await cache.addAll(requests);
  // A page asks for this only after it has loaded all it needs, so an open one is not left with files of two versions.
  await self.skipWaiting();
}

/** Older versions of this site go; other caches of the same host are not ours. */
async function dropOldCaches() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

/** The address under which a request's file is kept, or null if it is none of ours. */
function addressOf(request) {
  const { origin, pathname } = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return null;
  const name = pathname.slice(scope.pathname.length);
  const kept = name === "index.html" ? "./" : name || "./";
  return kept in FILES ? new URL(kept, scope).href : null;
}

async function answer(address, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(address, { ignoreVary: true })) ?? fetch(request);
}
