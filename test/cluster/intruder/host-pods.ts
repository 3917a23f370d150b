import { images } from "../../../versions/images";

/** Everything that namespaces of the level `restricted` require. */
const confined = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    runAsNonRoot: true,
    seccompProfile: { type: "RuntimeDefault" },
};

/**
 * A pod without any privilege on a node except its network, like many metrics agents.
 *
 * @param spec - what is different
 * @param more - what is different in its container
 */
export function hostPod(name: string, node: string, program: string, spec: object = {}, more: object = {}): object {
    const command = ["node", "-e", program];
    const container = { name: "one", image: images.node, command, securityContext: confined, ...more };
    return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name },
        spec: {
            nodeSelector: { "kubernetes.io/hostname": node },
            tolerations: [{ operator: "Exists" }],
            hostNetwork: true,
            terminationGracePeriodSeconds: 0,
            automountServiceAccountToken: false,
            securityContext: { runAsUser: 65534, runAsGroup: 65534 },
            containers: [container],
            ...spec,
        },
    };
}

/**
 * A program that binds a free port twice, and then tries to share each control plane port that it finds on the machine.
 */
export function sharePorts(ports: readonly number[]): string {
    return `const { createServer } = require("node:net");
const { readFileSync } = require("node:fs");
const listen = (host, port) => new Promise((done) => {
    const server = createServer((socket) => socket.destroy());
    server.on("error", (error) => done(error.code));
    server.listen({ host, port, reusePort: true }, () => done(server));
});
const addressOf = (hex) => hex.match(/../g).reverse().map((each) => parseInt(each, 16)).join(".");
const found = readFileSync("/proc/net/tcp", "utf8").split("\\n").slice(1).map((line) => line.trim().split(/\\s+/))
    .filter(([, , , state]) => state === "0A").map(([, local]) => local.split(":"))
    .map(([address, port]) => [addressOf(address), parseInt(port, 16)])
    .filter(([, port]) => ${JSON.stringify(ports)}.includes(port));
(async () => {
    const own = [await listen("127.0.0.1", 7443), await listen("127.0.0.1", 7443)];
    const control = own.every((each) => typeof each === "object");
    const tries = [];
    for (const [host, port] of found) {
        const got = await listen(host, port);
        if (typeof got === "object") got.close();
        tries.push([host + ":" + port, typeof got === "object" ? "shared" : got]);
    }
    console.log(JSON.stringify({ control, tries }));
    setInterval(() => {}, 60_000);
})();`;
}
