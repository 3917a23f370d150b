// A dry run has addresses that are not ours: a program that connects to one would send packets to other hosts.
const { Socket, isIP } = require("node:net");

// There is no API that components could wait for (components/upgrade/api-away.ts).
globalThis.tradewindOnPaper = true;

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
    const { nameServers = {} } = simulatedAccount();
    if (nameServers[domain]) return nameServers[domain];
    throw Object.assign(new Error(`queryNs ECONNREFUSED ${domain}: this is a dry run`), { code: "ECONNREFUSED" });
};

function simulatedAccount() {
    try {
        return JSON.parse(require("node:fs").readFileSync(process.env.TRADEWIND_SIMULATED_ACCOUNT, "utf8"));
    } catch {
        return {};
    }
}

function isHere(address) {
    return /^127\./.test(address) || address === "::1" || address === "::ffff:127.0.0.1";
}
