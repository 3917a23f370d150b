// What is on paper has addresses at which nothing of ours answers: a program that asks one would send packets out of this computer.
const { Socket, isIP } = require("node:net");

// Its cluster has no API, which components would wait for (components/upgrade/api-away.ts).
globalThis.tradewindOnPaper = true;

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
    // Of Node's own callers the first one is the list of normalized arguments.
    const [options] = Array.isArray(args[0]) ? args[0] : args;
    const { host } = typeof options === "object" && options !== null ? options : { host: args[1] };
    if (typeof host === "string" && isIP(host) && !isHere(host)) {
        const error = Object.assign(new Error(`connect ENETUNREACH ${host}: it is on paper`), { code: "ENETUNREACH" });
        process.nextTick(() => this.destroy(error));
        return this;
    }
    return connect.apply(this, args);
};

function isHere(address) {
    return /^127\./.test(address) || address === "::1" || address === "::ffff:127.0.0.1";
}
