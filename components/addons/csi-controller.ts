import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";
import { nobody } from "../cluster/users";
import { type Container, confined, type EnvVar, lastWords } from "../control-plane/pod";
import { clusterController, localApi } from "./cluster-controller";
import type { CsiDriver } from "./csi-driver";
import { serviceAccount, systemRole } from "./service-account";

const folder = "/csi";
const socket = `${folder}/csi.sock`;

/** What makes, attaches, resizes and deletes volumes: the driver, and Kubernetes' own programs that ask it to. */
export function csiController(cluster: Cluster, own: CsiDriver): Manifest[] {
    const { images } = cluster;
    const name = `${own.name}-controller`;
    const asked = [`--csi-address=${socket}`, "--leader-election=true", "--timeout=60s"];
    const containers = [
        driver(own),
        sidecar("provisioner", images.csiProvisioner, [...asked, "--default-fstype=ext4", "--extra-create-metadata"]),
        sidecar("attacher", images.csiAttacher, asked),
        // Both clouds' volumes grow while they are in use.
        sidecar("resizer", images.csiResizer, [...asked, "--handle-volume-inuse-error=false"]),
        livenessProbe(images.csiLivenessProbe, ports.csiController),
    ];
    const volumes = [{ name: "socket", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } }];
    return [
        ...serviceAccount(name, rules),
        ...systemRole(name, leases),
        // The socket lies in a volume that is nobody's but for this.
        ...clusterController(cluster, name, { containers, volumes }, { fsGroup: nobody }),
    ];
}

/** Its answer to whether the driver answers, by the driver's socket in the volume `socket`. */
export function livenessProbe(image: string, port: number): Container {
    return {
        name: "liveness-probe",
        image,
        ...lastWords,
        args: [`--csi-address=${socket}`, `--http-endpoint=127.0.0.1:${port}`],
        resources: { requests: { cpu: "5m", memory: "16Mi" } },
        securityContext: confined,
        volumeMounts: [{ name: "socket", mountPath: folder }],
    };
}

/** How the kubelet asks it. */
export function askedBy(port: number): Pick<Container, "livenessProbe"> {
    return {
        livenessProbe: {
            httpGet: { host: "127.0.0.1", path: "/healthz", port },
            initialDelaySeconds: 20,
            periodSeconds: 10,
            timeoutSeconds: 5,
            failureThreshold: 5,
        },
    };
}

function driver({ image, program, controllerArgs, controllerEnv = [] }: CsiDriver): Container {
    return {
        name: "driver",
        image,
        ...lastWords,
        command: [program, ...controllerArgs, `--endpoint=unix://${socket}`],
        env: [...controllerEnv],
        ...askedBy(ports.csiController),
        resources: { requests: { cpu: "10m", memory: "40Mi" } },
        securityContext: confined,
        volumeMounts: [{ name: "socket", mountPath: folder }],
    };
}

function sidecar(name: string, image: string, args: string[]): Container {
    return {
        name,
        image,
        ...lastWords,
        args,
        env: localApi as EnvVar[],
        resources: { requests: { cpu: "10m", memory: "32Mi" } },
        securityContext: confined,
        volumeMounts: [{ name: "socket", mountPath: folder }],
    };
}

const looks = ["get", "list", "watch"];

// Source: the rules that each of Kubernetes' own programs for CSI documents; those of snapshots are left out.
const rules = [
    { apiGroups: [""], resources: ["persistentvolumes"], verbs: [...looks, "create", "patch", "delete"] },
    { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: [...looks, "update"] },
    { apiGroups: [""], resources: ["persistentvolumeclaims/status"], verbs: ["patch"] },
    { apiGroups: [""], resources: ["events"], verbs: ["list", "watch", "create", "update", "patch"] },
    { apiGroups: [""], resources: ["nodes", "pods"], verbs: looks },
    {
        apiGroups: ["storage.k8s.io"],
        resources: ["csinodes", "storageclasses", "volumeattributesclasses"],
        verbs: looks,
    },
    { apiGroups: ["storage.k8s.io"], resources: ["volumeattachments"], verbs: [...looks, "patch"] },
    { apiGroups: ["storage.k8s.io"], resources: ["volumeattachments/status"], verbs: ["patch"] },
];

/** By which one of each program works. */
const leases = [
    {
        apiGroups: ["coordination.k8s.io"],
        resources: ["leases"],
        verbs: ["get", "list", "watch", "create", "update", "patch", "delete"],
    },
];
