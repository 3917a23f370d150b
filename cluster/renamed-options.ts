/** Options that have another name now, by their old names. */
const RENAMED: Readonly<Record<string, string>> = {
    hasApiLoadBalancer: "apiLoadBalancer",
    hasCloudController: "cloudController",
    hasClusterAutoscaler: "autoscaler",
    hasCsiDriver: "csiDriver",
    hasIpv6: "ipv6",
    isByInstanceRole: "instanceRole",
    isSchedulable: "schedulable",
    keepsConntrackLimits: "keepConntrackLimits",
    madeAnew: "recreate",
};

/** Keys of stacks that had another name than their option. */
const RENAMED_KEYS: Readonly<Record<string, string>> = { machineSubnet: "machineCidr", pools: "workerPools" };

/** The present name of an option that was renamed. */
export function newNameOf(option: string): string | undefined {
    return Object.hasOwn(RENAMED, option) ? RENAMED[option] : undefined;
}

/** The present name of a stack's key that was renamed. */
export function newKeyOf(key: string): string | undefined {
    return Object.hasOwn(RENAMED_KEYS, key) ? RENAMED_KEYS[key] : newNameOf(key);
}
