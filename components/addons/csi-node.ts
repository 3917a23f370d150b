import type { Manifest } from "../cluster/manifest";
import type { Cluster } from "../cluster/model";
import { ports } from "../cluster/ports";
import { type Container, confined, lastWords } from "../control-plane/pod";
import { askedBy, livenessProbe } from "./csi-controller";
import type { CsiDriver } from "./csi-driver";
import { nodeDaemonSet } from "./node-daemon-set";
import { serviceAccount } from "./service-account";

const kubelet = "/var/lib/kubelet";

/** What mounts volumes on each node: on its own network, where the cloud tells it which machine that is. */
export function csiNode(cluster: Cluster, own: CsiDriver): Manifest[] {
    const { images } = cluster;
    const name = `${own.name}-node`;
    const plugin = `${kubelet}/plugins/${own.driver}`;
    const daemonSet = nodeDaemonSet(name, {
        ...(own.nodeRules ? { serviceAccountName: name } : { automountServiceAccountToken: false }),
        enableServiceLinks: false,
        containers: [driver(own), registrar(images.csiNodeDriverRegistrar, plugin), probe(images.csiLivenessProbe)],
        volumes: [
            { name: "kubelet", hostPath: { path: kubelet, type: "Directory" } },
            { name: "socket", hostPath: { path: plugin, type: "DirectoryOrCreate" } },
            { name: "registration", hostPath: { path: `${kubelet}/plugins_registry`, type: "DirectoryOrCreate" } },
            { name: "devices", hostPath: { path: "/dev", type: "Directory" } },
        ],
    });
    return [...(own.nodeRules ? serviceAccount(name, own.nodeRules) : []), daemonSet];
}

function driver({ image, program, nodeArgs }: CsiDriver): Container {
    return {
        name: "driver",
        image,
        ...lastWords,
        command: [program, ...nodeArgs, "--endpoint=unix:///csi/csi.sock"],
        env: [{ name: "CSI_NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
        ...askedBy(ports.csiNode),
        resources: { requests: { cpu: "10m", memory: "40Mi" } },
        // It mounts for the host, which only a privileged container's mounts reach.
        securityContext: { privileged: true },
        volumeMounts: [
            { name: "kubelet", mountPath: kubelet, mountPropagation: "Bidirectional" },
            { name: "socket", mountPath: "/csi" },
            { name: "devices", mountPath: "/dev" },
        ],
    };
}

/** Tells the kubelet that the driver is there. Root, as the folder of its socket. */
function registrar(image: string, plugin: string): Container {
    return {
        name: "node-driver-registrar",
        image,
        ...lastWords,
        args: ["--csi-address=/csi/csi.sock", `--kubelet-registration-path=${plugin}/csi.sock`],
        resources: { requests: { cpu: "5m", memory: "16Mi" } },
        securityContext: confined,
        volumeMounts: [
            { name: "socket", mountPath: "/csi" },
            { name: "registration", mountPath: "/registration" },
        ],
    };
}

function probe(image: string): Container {
    return livenessProbe(image, ports.csiNode);
}
