/** Every port that a node listens on, by what listens: TCP where the name says nothing else. Units: port numbers. */
export const ports = {
    kubeApiserver: 6443,
    /** HAProxy's answer to "is my own apiserver ready?", on the generation's loopback address. */
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
    kubeProxyHealthz: 10256,
    kubeControllerManager: 10257,
    kubeScheduler: 10259,
    cloudControllerManager: 10258,
    clusterAutoscaler: 8085,
    /** Whether a driver of volumes is well, on the loopback address: on each node, and of its controller. */
    csiNode: 9808,
    csiController: 9809,
    /** UDP: pods' packets between nodes. Linux' own default, which flannel takes. */
    flannelVxlan: 8472,
    dns: 53,
} as const;

/** First and last of the ports by which Services are reached at nodes: kube-apiserver's own default. */
export const nodePorts = [30000, 32767] as const;
