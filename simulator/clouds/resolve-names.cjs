// The DNS of a simulated cloud, for programs of Node that Pulumi starts: who runs it reads the account's records too.
const dns = require("node:dns");
const { readFileSync } = require("node:fs");

const { lookup } = dns;
dns.lookup = (name, options, callback) => {
    const address = addressOf(name);
    if (address === undefined) return lookup(name, options, callback);
    const done = typeof options === "function" ? options : callback;
    const answer = options?.all ? [[{ address, family: 4 }]] : [address, 4];
    process.nextTick(done, null, ...answer);
};

function addressOf(name) {
    try {
        const { resources } = JSON.parse(readFileSync(process.env.TRADEWIND_SIMULATED_ACCOUNT, "utf8"));
        return Object.values(resources.records ?? {}).find((record) => record.name === name)?.address;
    } catch {
        return undefined;
    }
}
