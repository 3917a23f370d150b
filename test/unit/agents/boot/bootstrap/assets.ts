import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BootstrapPlan } from "../../../../../agents/boot/bootstrap/plan";
import { addressAnnotation } from "../../../../../clients/kubernetes/loopback";
import { freePort } from "../../../../free-port";
import { certificates } from "./certificates";

const components = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

/** A plan for a machine with all its files below `root` and whose processes share one port on many addresses. */
export async function examplePlan(root: string): Promise<BootstrapPlan> {
    const port = await freePort();
    const listenerPort = await freePort();
    const address = (index: number) => `127.102.${port >> 8}.${1 + index + ((port & 0x3f) << 2)}`;
    return {
        clusterName: "example",
        nodeName: "controller-1",
        apiServer: `https://127.0.0.1:${port}`,
        fieldManager: "tradewind-bootstrap",
        directories: {
            assets: join(root, "opt"),
            checkpoints: join(root, "etc/checkpoints"),
            staticPods: join(root, "etc/manifests"),
            state: join(root, "var"),
        },
        credentials: { ca: "secrets/admin/ca.crt", cert: "secrets/admin/admin.crt", key: "secrets/admin/admin.key" },
        selfHosted: components.map((name, index) => ({
            kind: "DaemonSet",
            namespace: "kube-system",
            name,
            priority: 2_000_000_000,
            address: address(index),
            port,
            probe: index === 0 ? "/readyz" : "/healthz",
            ...(index === 0 && { listener: { port: listenerPort, path: "/up" } }),
        })),
        kubeletRestart: join(root, "var/restart-kubelet"),
        controllerLabels: { "node-role.kubernetes.io/control-plane": "" },
        tokens: { expiresAfterHours: 24 },
        versions: { kubernetes: "1.36.3" },
        timeouts: { "wait-for-api": 5, "apply-manifests": 5, "label-node": 5, "wait-for-self-hosted": 5 },
        resumeGraceSeconds: 0.3,
    };
}

/** Writes the files that the agent expects on its machine. Returns the path of the plan. */
export function writeAssets(plan: BootstrapPlan): string {
    const { ca, admin } = certificates();
    const { assets, staticPods, state } = plan.directories;
    const files: Record<string, string> = {
        "bootstrap.json": JSON.stringify(plan),
        [plan.credentials.ca]: ca,
        [plan.credentials.cert]: admin.cert,
        [plan.credentials.key]: admin.key,
    };
    for (const [file, object] of Object.entries(exampleManifests(plan))) {
        files[`manifests/${file}`] = JSON.stringify(object);
    }
    for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(assets, file)), { recursive: true });
        writeFileSync(join(assets, file), text, { mode: 0o600 });
    }
    mkdirSync(staticPods, { recursive: true });
    mkdirSync(state, { recursive: true });
    return join(assets, "bootstrap.json");
}

export function exampleManifests(plan: BootstrapPlan): Record<string, object> {
    const data = { "token-id": Buffer.from("abcdef").toString("base64") };
    const metadata = { name: "bootstrap-token-abcdef", namespace: "kube-system" };
    return {
        "000-namespace.json": { apiVersion: "v1", kind: "Namespace", metadata: { name: "kube-system" } },
        "010-token.json": { apiVersion: "v1", kind: "Secret", metadata, type: "bootstrap.kubernetes.io/token", data },
        ...Object.fromEntries(plan.selfHosted.map(({ name }) => [`010-${name}-files.json`, credentials(name)])),
        ...Object.fromEntries(plan.selfHosted.map((component) => [`020-${component.name}.json`, daemonSet(component)])),
        "120-dns.json": {
            apiVersion: "apps/v1",
            kind: "DaemonSet",
            metadata: { name: "dns", namespace: "kube-system" },
        },
    };
}

function credentials(name: string): object {
    const data = { "tls.key": Buffer.from(`the key of ${name}`).toString("base64") };
    return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "kube-system" }, data };
}

function daemonSet({ name, namespace, address }: BootstrapPlan["selfHosted"][number]): object {
    const template = {
        metadata: { annotations: { [addressAnnotation]: address } },
        spec: {
            nodeSelector: { "node-role.kubernetes.io/control-plane": "" },
            securityContext: { runAsUser: process.getuid!(), runAsGroup: process.getgid!() },
            containers: [{ name, image: "image", command: [name, `--bind-address=${address}`] }],
            volumes: [{ name: "credentials", secret: { secretName: name, defaultMode: 0o400 } }],
        },
    };
    return { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name, namespace }, spec: { template } };
}
