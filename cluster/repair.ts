import { requireDuration } from "./durations";
import type { RepairOptions } from "./options";
import { invalid } from "./validate";

/** When machines are restarted and replaced. */
export interface Repair {
    /** Seconds. */
    readonly restartAfter: number;
    /** Seconds. */
    readonly replaceAfter: number;
    readonly maxUnavailablePercentage: number;
}

/** Time that a machine needs to boot and become Ready. Unit: seconds. */
const bootSeconds = 120;

/** Validates the option and applies its defaults. */
export function resolveRepair(options: RepairOptions): Repair {
    const {
        restartAfter: restart = "5m",
        replaceAfter: replace = "15m",
        maxUnavailablePercentage: most = 20,
    } = options;
    const restartAfter = requireDuration("repair.restartAfter", restart, "2m", "1d");
    const replaceAfter = requireDuration("repair.replaceAfter", replace, "4m", "7d");
    if (replaceAfter < restartAfter + bootSeconds) {
        throw invalid(
            "repair.replaceAfter",
            `at least ${bootSeconds / 60}m longer than restartAfter (${restart})`,
            replace,
        );
    }
    if (!Number.isInteger(most) || most < 1 || most > 50) {
        throw invalid("repair.maxUnavailablePercentage", "a whole number from 1 to 50", most);
    }
    return { restartAfter, replaceAfter, maxUnavailablePercentage: most };
}
