/** The certificate and key by which the kubelet is known to the API: in the directory where it keeps them, like all here. */
export const kubeletClientFile = "kubelet-client-current.pem";

/** The same of the server that it is, where it asks the cluster for it. */
export const kubeletServerFile = "kubelet-server-current.pem";

/** By which it was known before it asked for one of another authority. */
export const previousClientFile = "kubelet-client-previous.pem";

/** Certificates of the authorities that it trusts, once they are others than the one that its machine booted with. */
export const authoritiesFile = "authorities.crt";

/** How it asks the API from then on, and how it asks for its first certificate. */
export const kubeconfigFile = "kubeconfig";
export const bootstrapKubeconfigFile = "bootstrap-kubeconfig";
