import { checked, type FlagRules, keeps, owned } from "./rule";
import { client } from "./shared";

export const kubeScheduler: FlagRules = {
    ...client,
    "authorization-always-allow-paths": checked("probes have no credentials", keeps("/healthz", "/readyz", "/livez")),
    ...owned("it replaces the flags, and the pod has no files but its own", ["config"]),
    ...owned("the program would write it and end", ["write-config-to"]),
};
