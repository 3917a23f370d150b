/** An error that says what must be, and what is. Empty if it is legal. */
export function mustBe(isLegal: boolean, path: string, legal: string, got: unknown): string[] {
    return isLegal ? [] : [`${path} must be ${legal} (got ${shown(got)})`];
}

/** An error that says what must not be. Empty if it is legal. */
export function mustNotBe(isIllegal: boolean, path: string, illegal: string, got: unknown): string[] {
    return isIllegal ? [`${path} must not be ${illegal} (got ${shown(got)})`] : [];
}

/** An error for settings that exclude each other. Empty if only one is set. */
export function conflict(areBothSet: boolean, path: string, other: string, got: unknown): string[] {
    return areBothSet ? [`${path} conflicts with ${other} (got ${shown(got)})`] : [];
}

function shown(value: unknown): string {
    const text = typeof value === "string" && value !== "" ? value : (JSON.stringify(value) ?? "nothing");
    return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
