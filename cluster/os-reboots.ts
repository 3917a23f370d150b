import type { WeeklyWindow } from "../agents/nodes/reboot-approver/decide";
import type { OsRebootOptions } from "./options";
import { requireWindows } from "./weekly-windows";

/** When nodes whose OS requests it are rebooted. */
export interface OsReboots {
    readonly windows: readonly WeeklyWindow[];
}

/** When nodes on a cloud are rebooted if nothing else is set: their OS updates itself, but needs a boot to apply it. */
export const cloudOsReboots: OsRebootOptions = { windows: ["Sun 02:00-05:00"] };

/** Validates the reboot windows. */
export function resolveOsReboots({ windows }: OsRebootOptions): OsReboots {
    return { windows: requireWindows("osReboots.windows", windows) };
}
