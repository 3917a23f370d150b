import type { Cluster } from "../model";

/** Every port that a node listens on, by listener: TCP unless the name says otherwise. */
export const ports = {
    kubeApiserver: 6443,
    /** Port of HAProxy's check whether its own apiserver is ready, on the generation's loopback address. */
    apiserverGate: 6444,
    /** HAProxy's own readiness, on the generation's loopback address. */
    haproxyReady: 6445,
    etcdClient: 2379,
    etcdPeer: 2380,
    etcdMetrics: 2381,
    kubelet: 10250,
    kubeletHealthz: 10248,
    checkpointerHealthz: 6446,
    nodeAgentHealthz: 6447,
    etcdKeeperMetrics: 6448,
    /** Metrics of everything on the node, for clients with a token. */
    metricsProxy: 6449,
    kubeProxyHealthz: 10256,
    kubeRouter: 20244,
    kubeProxyMetrics: 10249,
    kubeControllerManager: 10257,
    kubeScheduler: 10259,
    cloudControllerManager: 10258,
    clusterAutoscaler: 8085,
    /** Health endpoints of a CSI driver on the loopback address: on each node, and of its controller. */
    csiNode: 9808,
    csiController: 9809,
    /** UDP: pod traffic between nodes. Linux' default, which flannel uses, and so do tunnels of kube-router. */
    flannelVxlan: 8472,
    /** kube-router's routes, if it is the CNI, and commands of its server, which has no authentication. */
    bgp: 179,
    bgpCommands: 50051,
    dns: 53,
} as const;

/** First and last node port of Services: kube-apiserver's default. */
export const nodePorts = [30000, 32767] as const;

/** URL of the API by the name that resolves to the load balancer or to all controllers. */
export function clusterApiServer({ apiName }: Cluster): string {
    return `https://${apiName}:${ports.kubeApiserver}`;
}

/** URL of the API on the machine itself, which needs neither load balancer nor DNS. */
export const localApiServer = `https://127.0.0.1:${ports.kubeApiserver}`;
