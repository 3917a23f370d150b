import { json } from "../objects";
import { type Container, confined, type EnvVar, lastWords, type Volume, type VolumeMount } from "../pod";
import { bridgeOf, toolsPath } from "./kube-router-scripts";

/** kube-router completes the configuration with the node's block of pod addresses and the MTU of its link. */
const cniConfig = {
    name: "kube-router",
    cniVersion: "0.3.1",
    plugins: [
        {
            type: "bridge",
            bridge: bridgeOf({ cni: "kube-router" }),
            isDefaultGateway: true,
            // A Node that was deleted and registered again gets another block.
            forceAddress: true,
            hairpinMode: true,
            ipam: { type: "host-local" },
        },
        { type: "portmap", capabilities: { portMappings: true } },
    ],
};

const configFolder = "/etc/cni/net.d";
const configPath = `${configFolder}/10-kuberouter.conflist`;
const tables = "/etc/iproute2/rt_tables";

/** Files in addition to the scripts. kube-router only adds its routing table to the list of tables if it is missing. */
export const routerFiles = { "cni-conf.json": json(cniConfig), rt_tables: "77 kube-router\n" };

/**
 * Routes between nodes, which exchange the blocks of their pods by BGP, each node with all others. All nodes are in one
 * network, so packets need no tunnel.
 */
export const routerFlags: readonly string[] = [
    "--enable-overlay=false",
    // Routes stay while kube-router restarts, and a node waits for those of nodes that are off for a moment only.
    ...["--bgp-graceful-restart=true", "--bgp-graceful-restart-deferral-time=15s"],
];

export const routerEnv: readonly EnvVar[] = [{ name: "KUBE_ROUTER_CNI_CONF_FILE", value: configPath }];

const cni = { name: "cni", mountPath: configFolder };

export const routerMounts: readonly VolumeMount[] = [
    cni,
    { name: "config", mountPath: tables, subPath: "rt_tables", readOnly: true },
];

export const routerVolumes: readonly Volume[] = [
    { name: "cni", hostPath: { path: configFolder, type: "DirectoryOrCreate" } },
];

/** Starts from an empty configuration, so that none keeps an earlier block. Readable by root only, as CIS requires. */
export function installCniConfig(image: string): Container {
    return {
        name: "install-cni-config",
        image,
        ...lastWords,
        command: ["sh", "-c", `umask 077 && cp -f ${toolsPath}/cni-conf.json ${configPath}`],
        securityContext: { ...confined, runAsUser: 0, runAsGroup: 0 },
        volumeMounts: [{ name: "config", mountPath: toolsPath, readOnly: true }, cni],
    };
}
