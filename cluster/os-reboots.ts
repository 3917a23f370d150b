import type { RebootWindow } from "../agents/nodes/reboot-approver/decide";
import type { OsRebootOptions } from "./options";
import { invalid } from "./validate";

/** When nodes whose OS asks for it are rebooted. */
export interface OsReboots {
    readonly windows: readonly RebootWindow[];
}

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const dayMinutes = 24 * 60;

/** A node that is drained and comes back needs some minutes. */
const leastMinutes = 15;

const legal = `"<days> <HH:MM>-<HH:MM>" in UTC, of ${leastMinutes} minutes or more, such as Sun 02:00-05:00, Mon-Fri 22:00-02:00 or 02:00-05:00`;

/** Validates when nodes may be rebooted. */
export function resolveOsReboots({ windows }: OsRebootOptions): OsReboots {
    if (windows.length === 0) {
        throw invalid("osReboots.windows", "a list of at least one window", windows);
    }
    return { windows: windows.map((text, index) => requireWindow(`osReboots.windows[${index}]`, text)) };
}

function requireWindow(option: string, text: string): RebootWindow {
    const [, first, last = first, from = "", to = ""] =
        /^(?:(\w{3})(?:-(\w{3}))? )?(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
    const [start, end] = [minuteOf(from), minuteOf(to)];
    const indices = [first, last].map((day) => (day === undefined ? undefined : days.indexOf(day)));
    if (start === undefined || start === dayMinutes || end === undefined || indices.includes(-1)) {
        throw invalid(option, legal, text);
    }
    // One that ends before it begins lasts into the next day.
    const minutes = end > start ? end - start : end - start + dayMinutes;
    if (end === start || minutes < leastMinutes) {
        throw invalid(option, legal, text);
    }
    const [begin = 0, until = 6] = indices;
    const count = ((until - begin + 7) % 7) + 1;
    return { days: Array.from({ length: count }, (_, index) => (begin + index) % 7), start, minutes };
}

/** @returns undefined if it is no time of a day, of which 24:00 is the end */
function minuteOf(text: string): number | undefined {
    const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(text) ?? [];
    const minute = Number(hours) * 60 + Number(minutes);
    return minute <= dayMinutes ? minute : undefined;
}
