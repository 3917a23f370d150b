/** Objects of the checks. They meet Pod Security's level `restricted`. */
export const namespace = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "tradewind-verify", labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
};

const labels = { app: "tradewind-verify-server" };

/** A Service of the server. */
export function service(type: "ClusterIP" | "LoadBalancer"): object {
    const name = type === "LoadBalancer" ? "public" : "server";
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name },
        spec: { type, selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
    };
}

/** Of the default storage class. */
export const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

/** Answers `hello`. On the controller, so that a request from the worker crosses machines. */
export function server(image: string, node: string): object {
    const program = `require("http").createServer((_, answer) => answer.end("hello")).listen(8080)`;
    return pod(image, "server", program, { nodeName: node, restartPolicy: "Always" }, labels);
}

/** Prints what a URL answers, or the addresses of `dns:<name>`. */
export function client(image: string, node: string, name: string, url: string, attempts: number): object {
    const get = url.startsWith("dns:")
        ? `require("dns").promises.resolve4(${JSON.stringify(url.slice(4))}).then((all) => all.length + " addresses")`
        : `fetch(${JSON.stringify(url)}, { signal: AbortSignal.timeout(3000) }).then((answer) => answer.text())`;
    const program = `
        const ask = async (attempt) => {
            try { return await ${get}; }
            catch (error) {
                if (attempt >= ${attempts}) throw error;
                await new Promise((done) => setTimeout(done, 2000));
                return ask(attempt + 1);
            }
        };
        ask(1).then((text) => process.stdout.write(text), (error) => {
            process.stdout.write(String(error.cause ?? error));
            process.exitCode = 1;
        });`;
    return pod(image, name, program, { nodeName: node });
}

/** Runs a program with the claim's volume at `/data`. */
export function mounted(image: string, name: string, program: string): object {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    return pod(image, name, program, { volumes }, {}, [{ name: "data", mountPath: "/data" }]);
}

function pod(
    image: string,
    name: string,
    program: string,
    spec: object,
    own: object = {},
    volumeMounts: readonly object[] = [],
): object {
    const securityContext = {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: "RuntimeDefault" },
    };
    const container = { name: "node", image, command: ["node", "-e", program], securityContext, volumeMounts };
    return {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, labels: own },
        spec: {
            ...{ restartPolicy: "Never", terminationGracePeriodSeconds: 0, automountServiceAccountToken: false },
            ...{ securityContext: { fsGroup: 1000 }, containers: [container] },
            ...spec,
        },
    };
}
