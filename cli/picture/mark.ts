import type { Mark, Meaning } from "./shapes";

/** Paths in a square from -1 to 1: the form behind, and the sign on it. */
const FORMS: Readonly<Record<Meaning, { readonly form: string; readonly sign: string }>> = {
    /** A disc with a tick. */
    good: { form: "M-1 0A1 1 0 0 1 1 0A1 1 0 0 1 -1 0Z", sign: "M-.45 .02L-.12 .36L.46 -.32" },
    /** A triangle with an exclamation mark. */
    warning: { form: "M0 -.95L1 .85L-1 .85Z", sign: "M0 -.25L0 .2M0 .53L0 .54" },
    /** A square with a cross. */
    bad: { form: "M-.9 -.9L.9 -.9L.9 .9L-.9 .9Z", sign: "M-.4 -.4L.4 .4M.4 -.4L-.4 .4" },
    /** An empty disc with a question mark. */
    unknown: {
        form: "M-1 0A1 1 0 0 1 1 0A1 1 0 0 1 -1 0Z",
        sign: "M-.32 -.25A.33 .33 0 1 1 .12 .06Q0 .12 0 .25M0 .56L0 .57",
    },
};

/** The mark's two paths, of the size and at the place that it has. */
export function markShape({ meaning, x, y, size }: Mark): string {
    const { form, sign } = FORMS[meaning];
    const half = size / 2;
    return `<path class="${meaning}" d="${placed(form, x, y, half)}"/><path class="sign ${meaning}-sign" d="${placed(sign, x, y, half)}"/>`;
}

/** Radii and flags of arcs have no place, only a size. */
function placed(path: string, x: number, y: number, half: number): string {
    return path.replace(/([MLAQ])([^MLAQZ]*)/g, (_, command: string, rest: string) => {
        const numbers = (rest.match(/-?\.?\d+(?:\.\d+)?/g) ?? []).map(Number);
        const moved =
            command === "A"
                ? [
                      numbers[0]! * half,
                      numbers[1]! * half,
                      ...numbers.slice(2, 5),
                      ...point(numbers.slice(5), x, y, half),
                  ]
                : point(numbers, x, y, half);
        return `${command}${moved.map((each) => Math.round(each * 100) / 100).join(" ")}`;
    });
}

function point(numbers: readonly number[], x: number, y: number, half: number): number[] {
    return numbers.map((each, index) => (index % 2 === 0 ? x : y) + each * half);
}
