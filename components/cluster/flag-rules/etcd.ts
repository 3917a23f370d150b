import { checked, type FlagRules, free, owned } from "./rule";
import { featureGates } from "./shared";

export const etcd: FlagRules = {
    ...owned("the program would print it and end", ["version"]),
    ...owned("it would replace all flags", ["config-file"]),
    ...owned("members are named and found by the stack", [
        "advertise-client-urls",
        "discovery*",
        "force-new-cluster",
        "initial-advertise-peer-urls",
        "initial-cluster*",
        "listen-*",
        "name",
        "socket-reuse-*",
    ]),
    ...owned("snapshots and recovery expect the data there", ["data-dir", "wal-dir"]),
    ...owned(
        "members have certificates from etcd's own CA",
        [
            "auto-tls",
            "cert-file",
            "client-cert-file",
            "client-key-file",
            "key-file",
            "peer-auto-tls",
            "peer-cert-file",
            "peer-client-cert-file",
            "peer-client-key-file",
            "peer-key-file",
            "peer-trusted-ca-file",
            "trusted-ca-file",
        ],
        "`keys.etcdCa`",
    ),
    ...owned("only certificates from etcd's own CA may ask it", [
        "client-cert-allowed-hostname",
        "client-cert-auth",
        "client-crl-file",
        "peer-cert-allowed-*",
        "peer-client-cert-auth",
        "peer-crl-file",
        "*peer-skip-client-san-verification",
    ]),
    ...owned("a power cut would lose data", ["unsafe-no-fsync"]),
    ...owned("it keeps a majority when members change", ["strict-reconfig-check"]),
    ...owned("it is set as a feature gate", ["experimental-initial-corrupt-check"], "`feature-gates`"),
    "tls-min-version": checked("older versions of TLS are not secure", (value) =>
        ["TLS1.2", "TLS1.3"].includes(value) ? undefined : "TLS1.2 or TLS1.3",
    ),
    "feature-gates": featureGates,
    ...free("4 GiB", ["quota-backend-bytes"]),
    ...free("hourly", ["auto-compaction-mode", "auto-compaction-retention"]),
};
