/** What a pod tries: a request, or to read a path, list it or connect to it. */
export type Attempt =
    | { readonly url: string; readonly method?: string; readonly token?: boolean }
    | { readonly path: string };

const tokenFile = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/**
 * A program that prints the outcome of each attempt, by name, as JSON: the status of an answer, `read`, `connected`, or
 * the code of an error. Of a directory it reads the files that it can.
 *
 * All of them at once, because a refused packet may be answered by nothing but a timeout.
 */
export function tryAll(attempts: Readonly<Record<string, Attempt>>): string {
    return `const { readFileSync, readdirSync, statSync } = require("node:fs");
const { connect } = require("node:net");
const ask = ({ url, method = "GET", token }) => new Promise((done) => {
    const headers = token ? { authorization: "Bearer " + readFileSync("${tokenFile}", "utf8") } : {};
    const { request } = require(url.split("//")[0] === "https:" ? "node:https" : "node:http");
    const sent = request(url, { method, headers, agent: false, rejectUnauthorized: false, timeout: 4000 });
    sent.on("timeout", () => sent.destroy(Object.assign(new Error(), { code: "timeout" })));
    sent.on("error", ({ code }) => done(code));
    sent.on("response", (answer) => { answer.resume(); done(answer.statusCode); });
    sent.end();
});
const open = (path) => new Promise((done) => {
    const socket = connect(path, () => { socket.destroy(); done("connected"); });
    socket.on("error", ({ code }) => done(code));
});
const readAny = (path) => {
    const files = readdirSync(path, { withFileTypes: true }).filter((each) => each.isFile());
    for (const [index, { name }] of files.entries()) {
        try {
            readFileSync(path + "/" + name);
            break;
        } catch (error) {
            if (index === files.length - 1) throw error;
        }
    }
    return "read";
};
const read = async ({ path }) => {
    try {
        const stat = statSync(path);
        if (stat.isSocket()) return await open(path);
        if (stat.isDirectory()) return readAny(path);
        readFileSync(path);
        return "read";
    } catch ({ code }) {
        return code;
    }
};
const attempts = Object.entries(${JSON.stringify(attempts)});
Promise.all(attempts.map(async ([name, each]) => [name, await ("url" in each ? ask(each) : read(each))]))
    .then((all) => console.log(JSON.stringify(Object.fromEntries(all))));`;
}
