import type { WeeklyWindow } from "../agents/nodes/reboot-approver/decide";
import { invalid } from "./validate";

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const dayMinutes = 24 * 60;

/** What starts in a window, such as a reboot, takes a few minutes. */
const leastMinutes = 15;

const legal = `"<days> <HH:MM>-<HH:MM>" in UTC, of ${leastMinutes} minutes or more, such as Sun 02:00-05:00, Mon-Fri 22:00-02:00 or 02:00-05:00`;

/** Parses weekly windows, in UTC. @param option - such as `osReboots.windows` */
export function requireWindows(option: string, texts: readonly string[]): readonly WeeklyWindow[] {
    return texts.map((text, index) => requireWindow(`${option}[${index}]`, text));
}

function requireWindow(option: string, text: string): WeeklyWindow {
    const [, first, last = first, from = "", to = ""] =
        /^(?:(\w{3})(?:-(\w{3}))? )?(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
    const [start, end] = [minuteOf(from), minuteOf(to)];
    const indices = [first, last].map((day) => (day === undefined ? undefined : days.indexOf(day)));
    if (start === undefined || start === dayMinutes || end === undefined || indices.includes(-1)) {
        throw invalid(option, legal, text);
    }
    // A window that ends before it starts extends into the next day.
    const minutes = end > start ? end - start : end - start + dayMinutes;
    if (end === start || minutes < leastMinutes) throw invalid(option, legal, text);
    const [begin = 0, until = 6] = indices;
    const count = ((until - begin + 7) % 7) + 1;
    return { days: Array.from({ length: count }, (_, index) => (begin + index) % 7), start, minutes };
}

/** @returns undefined if it is not a time of day; 24:00 is the end of the day */
function minuteOf(text: string): number | undefined {
    const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(text) ?? [];
    const minute = Number(hours) * 60 + Number(minutes);
    return minute <= dayMinutes ? minute : undefined;
}
