import assert from "node:assert/strict";
import { images } from "../../versions/images";
import { eventually, type TestCluster } from "./cluster";

/** A volume of the pod, and a shell command in its container that prints `ok` if it works. */
interface TestedVolume {
    readonly volume: object;
    readonly mount?: object;
    readonly check: string;
}

const text = "of the test";

/** Namespace of the pods, which may use the node's files. */
const namespace = "work";

/** Runs kubectl there. */
export const inWork = (cluster: TestCluster, ...args: string[]) => cluster.kubectl("-n", namespace, ...args);

const has = (path: string) => `grep -q '${text}' ${path}`;
const writes = (path: string) => `echo '${text}' >${path}/file && ${has(`${path}/file`)}`;

/** Every kind of volume that a kubelet makes itself. The node's folders are outside /usr: docs/levels.md. */
const volumes: Readonly<Record<string, TestedVolume>> = {
    config: { volume: { configMap: { name: "work" } }, check: has("/v/config/key") },
    "config-part": {
        volume: { configMap: { name: "work" } },
        mount: { mountPath: "/v/config-part/one", subPath: "key" },
        check: has("/v/config-part/one"),
    },
    secret: {
        volume: { secret: { secretName: "work", defaultMode: 0o400 } },
        check: `${has("/v/secret/key")} && grep -q ' /v/secret tmpfs ' /proc/mounts`,
    },
    pod: {
        volume: { downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
        check: 'grep -q "^$HOSTNAME$" /v/pod/name',
    },
    projected: {
        volume: {
            projected: {
                sources: [{ serviceAccountToken: { path: "token" } }, { configMap: { name: "work" } }],
            },
        },
        check: `${has("/v/projected/key")} && grep -q '^ey' /v/projected/token`,
    },
    empty: { volume: { emptyDir: {} }, check: writes("/v/empty") },
    "empty-part": {
        volume: { emptyDir: {} },
        mount: { subPath: "a/part" },
        check: writes("/v/empty-part"),
    },
    memory: {
        volume: { emptyDir: { medium: "Memory", sizeLimit: "4Mi" } },
        check: `${writes("/v/memory")} && [ "$(df -k /v/memory | awk 'END { print $2 }')" = 4096 ]`,
    },
    folder: {
        volume: { hostPath: { path: "/srv/work/new", type: "DirectoryOrCreate" } },
        check: writes("/v/folder"),
    },
    "folder-part": {
        volume: { hostPath: { path: "/srv", type: "Directory" } },
        mount: { subPath: "part/of-it" },
        check: writes("/v/folder-part"),
    },
    file: {
        volume: { hostPath: { path: "/home/work", type: "FileOrCreate" } },
        check: `[ -f /v/file ] && echo '${text}' >/v/file`,
    },
    socket: {
        volume: { hostPath: { path: "/run/containerd/containerd.sock", type: "Socket" } },
        check: "[ -S /v/socket ]",
    },
    device: { volume: { hostPath: { path: "/dev/zero", type: "CharDevice" } }, check: "[ -c /v/device ]" },
    programs: { volume: { hostPath: { path: "/usr/lib/systemd" } }, check: "[ -e /v/programs/systemd ]" },
    local: { volume: { persistentVolumeClaim: { claimName: "work-local" } }, check: writes("/v/local") },
    class: { volume: { persistentVolumeClaim: { claimName: "work-class" } }, check: writes("/v/class") },
    image: { volume: { image: { reference: images.busybox } }, check: "[ -e /v/image/bin/sh ]" },
};

/** What the pod needs, and the folder of its local volume on the node. */
export async function prepareWork(cluster: TestCluster, node: string): Promise<void> {
    await cluster.exec(node, "mkdir -p /mnt/work");
    const claim = (name: string, storageClassName?: string) => ({
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name, namespace },
        spec: {
            ...(storageClassName !== undefined && { storageClassName }),
            accessModes: ["ReadWriteOnce"],
            resources: { requests: { storage: "1Mi" } },
        },
    });
    const hostname = { key: "kubernetes.io/hostname", operator: "In", values: [node] };
    await cluster.apply({
        apiVersion: "v1",
        kind: "List",
        items: [
            {
                apiVersion: "v1",
                kind: "Namespace",
                metadata: { name: namespace, labels: { "pod-security.kubernetes.io/enforce": "privileged" } },
            },
            { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "work", namespace }, data: { key: text } },
            { apiVersion: "v1", kind: "Secret", metadata: { name: "work", namespace }, stringData: { key: text } },
            {
                apiVersion: "v1",
                kind: "PersistentVolume",
                metadata: { name: "work-local" },
                spec: {
                    storageClassName: "by-hand",
                    capacity: { storage: "1Mi" },
                    accessModes: ["ReadWriteOnce"],
                    persistentVolumeReclaimPolicy: "Retain",
                    local: { path: "/mnt/work" },
                    nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [hostname] }] } },
                },
            },
            claim("work-local", "by-hand"),
            claim("work-class"),
        ],
    });
}

/** A pod on a node with all of them and each kind of probe, which serves its name on port 8080. */
export async function makeWork(cluster: TestCluster, node: string, name: string): Promise<void> {
    const mounts = Object.entries(volumes).map(([each, { mount }]) => ({
        name: each,
        mountPath: `/v/${each}`,
        ...mount,
    }));
    const program = `mkdir -p /www && echo $HOSTNAME >/www/index.html && httpd -p 8080 -h /www && echo started && exec sleep 100000`;
    const http = { httpGet: { path: "/", port: 8080 }, periodSeconds: 1 };
    await cluster.apply({
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace },
        spec: {
            nodeSelector: { "kubernetes.io/hostname": node },
            terminationGracePeriodSeconds: 1,
            containers: [
                {
                    name: "work",
                    image: images.busybox,
                    command: ["sh", "-c", program],
                    volumeMounts: mounts,
                    startupProbe: { exec: { command: ["sh", "-c", "[ -e /www/index.html ]"] }, periodSeconds: 1 },
                    readinessProbe: http,
                    livenessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1, failureThreshold: 2 },
                },
            ],
            volumes: Object.entries(volumes).map(([each, { volume }]) => ({ name: each, ...volume })),
        },
    });
    await inWork(cluster, "wait", "--for=condition=Ready", `pod/${name}`, "--timeout=120s");
}

/** Volumes of the pod that do not work. */
export async function brokenVolumes(cluster: TestCluster, name: string): Promise<string[]> {
    const checks = Object.entries(volumes).map(([each, { check }]) => `{ ${check}; } 2>/dev/null || echo ${each}`);
    const answer = await inWork(cluster, "exec", name, "--", "sh", "-c", checks.join("\n"));
    return answer.split("\n").filter(Boolean);
}

/** Deletes the pod; fails unless the node's kubelet unmounts and removes all that it made for it. */
export async function removeWork(cluster: TestCluster, node: string, name: string): Promise<void> {
    const { metadata } = await cluster.get<{ metadata: { uid: string } }>("-n", namespace, "pod", name);
    const left = `grep -o '/var/lib/kubelet/pods/${metadata.uid}[^ ]*' /proc/mounts; ls -d /var/lib/kubelet/pods/${metadata.uid}; true`;
    assert.match(await cluster.exec(node, left), /volume-subpaths/, "the node has the pod's mounts");
    await inWork(cluster, "delete", "pod", name, "--timeout=60s");
    await eventually(`${name} leaves nothing on ${node}`, async () =>
        assert.equal(await cluster.exec(node, `{ ${left}; } 2>/dev/null`), ""),
    );
}
