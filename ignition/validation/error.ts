/** An error that says what must be, and what is. Empty if it is legal. */
export function mustBe(isLegal: boolean, path: string, legal: string, got: unknown): string[] {
    return isLegal ? [] : [`${path} must be ${legal} (got ${shown(got)})`];
}

function shown(value: unknown): string {
    const text = typeof value === "string" && value !== "" ? value : (JSON.stringify(value) ?? "nothing");
    return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
