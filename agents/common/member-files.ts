/** Whom an etcd member and its peers trust, in the directory of its certificates. */
export const authorityFile = "ca.crt";
/** Its certificate, for servers and clients. */
export const certificateFile = "member.crt";
/** The key of that. */
export const keyFile = "member.key";
/** What the kubelet reads, among the machine's static pods. */
export const staticPodFile = "etcd.json";
