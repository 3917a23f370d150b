import { writeFileSync } from "node:fs";
import { invalidOption } from "../usage-error";

/** Checks where a picture is to go. */
export function pictureFile(output: string): string {
    if (output !== "-" && !/[^/]\.svg$/.test(output)) {
        throw invalidOption("--output", "a file that ends in .svg, or - for standard output", output);
    }
    return output;
}

/** Writes a picture, and says where it is. */
export function writePicture(output: string, svg: string): void {
    if (output === "-") {
        process.stdout.write(svg);
        return;
    }
    writeFileSync(output, svg);
    console.log(`written to ${output}`);
}
