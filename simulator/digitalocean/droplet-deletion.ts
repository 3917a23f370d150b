/**
 * How long the provider waits in a deletion, in seconds. Source: `resource_droplet.go` of the Terraform provider; measured with
 * the official plugin, a shutdown of 25 s fits into its default, and one of 45 s does not.
 */
const waits = {
    /** Before it looks whether the droplet is unlocked. */
    unlocked: 10,
    /** At least, before it looks whether the droplet is off. */
    off: 10,
    /** For volumes to be detached. */
    detached: 10,
    /** Before it looks whether the droplet is destroyed, and between looks. */
    destroyed: 14,
} as const;

/** Seconds that a graceful shutdown takes at least: a kubelet ends its pods in 31 to 50. */
export const leastShutdown = 45;

/** What the provider takes when the program sets no `customTimeouts`, in seconds. */
export const defaultDeleteTimeout = 60;

export type DeletionStep = "off" | "destroyed";

/**
 * The step in which a deletion runs out of time.
 *
 * The waits are counted, not slept: only the shutdown takes its real time.
 *
 * @param shutdown - seconds that the machine took to shut down; nothing without a graceful shutdown
 * @param timeout - for the whole deletion, in seconds; 0 is the provider's default
 */
export function stepOutOfTime(
    shutdown: number | undefined,
    timeout: number,
    { hasVolumes }: { readonly hasVolumes: boolean },
): DeletionStep | undefined {
    const limit = timeout || defaultDeleteTimeout;
    const off = waits.unlocked + (shutdown === undefined ? 0 : Math.max(waits.off, shutdown));
    if (off > limit) return "off";
    const whole = off + (hasVolumes ? waits.detached : 0) + waits.destroyed;
    return whole > limit ? "destroyed" : undefined;
}

/** The provider's words. */
export const deletionErrors = {
    off: (id: string) =>
        `Error waiting for droplet (${id}) to become off: timeout while waiting for state to become 'off' (last state: 'active')`,
    destroyed: () => "Error deleting droplet: context deadline exceeded",
    missing: (id: string) =>
        `Error waiting for droplet to be unlocked for destroy (${id}): unexpected state 'Not Found', wanted target 'false'`,
} as const;
