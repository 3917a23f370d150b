/** The control plane's parts, by the name of the container that is each: however its pod came to be. */
export const CONTROL_PLANE = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;

/** Those that elect a leader: the name of the lease too. */
export const LEADER_ELECTED = ["kube-controller-manager", "kube-scheduler"] as const;

export const ETCD = "etcd";

/** The container of a member that a pod of the API runs: the machine's own has its name. */
export const ETCD_OF_API = "etcd-member";

/** Everything that status tells apart in kube-system. */
export const COMPONENTS = [...CONTROL_PLANE, ETCD, "kube-proxy"] as const;
