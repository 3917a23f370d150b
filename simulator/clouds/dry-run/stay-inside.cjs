// A dry run has addresses that are not ours: a program that connects to one would send packets to other hosts.
const { Socket, isIP } = require("node:net");

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
    // Node's own callers pass the list of normalized arguments as the first one.
    const [options] = Array.isArray(args[0]) ? args[0] : args;
    const { host } = typeof options === "object" && options !== null ? options : { host: args[1] };
    if (typeof host === "string" && isIP(host) && !isHere(host)) {
        const error = Object.assign(new Error(`connect ENETUNREACH ${host}: this is a dry run`), {
            code: "ENETUNREACH",
        });
        process.nextTick(() => this.destroy(error));
        return this;
    }
    return connect.apply(this, args);
};

// A simulated account's domains are delegated as it says; no other name is looked up.
const dns = require("node:dns");
dns.promises.resolveNs = async (domain) => {
    for (const { nameServers = {} } of simulatedAccounts()) if (nameServers[domain]) return nameServers[domain];
    throw Object.assign(new Error(`queryNs ECONNREFUSED ${domain}: this is a dry run`), { code: "ECONNREFUSED" });
};

// `up` fails if the cluster does not answer what it has to know before a change (components/upgrade). No machine of a dry
// run exists, so an API without any object answers that.
const https = require("node:https");
const { EventEmitter } = require("node:events");
const { Readable } = require("node:stream");
const answers = {
    "tradewind-up": {
        "/version": () => [200, {}],
        "/apis/apps/v1/namespaces/kube-system/daemonsets/kube-apiserver": () => [404, { message: "this is a dry run" }],
        "/api/v1/namespaces/kube-system/configmaps/tradewind-upgrade": () => [404, { message: "this is a dry run" }],
        "/api/v1/nodes": () => [200, { items: [] }],
    },
    "tradewind-pools": { "/api/v1/nodes": () => [200, { items: simulatedAccounts().flatMap(nodesOf) }] },
};
const { request } = https;
https.request = function (...args) {
    const [url, options, onAnswer] = args;
    const { "user-agent": program, accept = "" } = options?.headers ?? {};
    const { hostname, pathname } = typeof url === "string" ? new URL(url) : {};
    const [status, body] = (!isHere(hostname) && answers[program]?.[pathname]?.()) || [];
    // What drains a node needs more than names, and finds that nothing answers.
    const isForMore =
        program === "tradewind-up" && pathname === "/api/v1/nodes" && !/PartialObjectMetadataList/.test(accept);
    if (status === undefined || isForMore) {
        return request.apply(this, args);
    }
    const sent = new EventEmitter();
    sent.end = () => {
        if (simulatedAccounts().some(({ isApiDown }) => isApiDown)) {
            const error = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
            return process.nextTick(() => sent.emit("error", error));
        }
        const answer = Readable.from([Buffer.from(JSON.stringify(body))]);
        process.nextTick(onAnswer, Object.assign(answer, { statusCode: status, headersDistinct: {} }));
    };
    return sent;
};

// A program may have one in each cloud.
function simulatedAccounts() {
    const { readFileSync } = require("node:fs");
    try {
        const paths = process.env.TRADEWIND_SIMULATED_ACCOUNT.split(require("node:path").delimiter);
        return paths.map((path) => JSON.parse(readFileSync(path, "utf8")));
    } catch {
        return [];
    }
}

// Every machine of an account has joined.
function nodesOf({ resources: { instances = {}, ...others } = {} }) {
    const machines = Object.values(others).flatMap((kind) => Object.values(kind).filter((each) => each.userData));
    const members = Object.entries(instances).filter(([, { createdBy }]) => createdBy);
    const all = [
        ...members.map(([name, { createdBy, tags }]) => [
            name,
            createdBy.slice(`${tags["tradewind.dev/cluster"]}-`.length),
        ]),
        ...machines.map(({ name }) => [name, ""]),
    ];
    return all.map(([name, pool]) => ({
        metadata: { name, labels: { "node.kubernetes.io/pool": pool } },
        status: { conditions: [{ type: "Ready", status: "True" }] },
    }));
}

function isHere(address) {
    return /^127\./.test(address) || address === "::1" || address === "::ffff:127.0.0.1";
}
