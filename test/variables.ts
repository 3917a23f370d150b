/** Sets environment variables of this process; the returned function restores them. */
export function setVariables(values: Readonly<Record<string, string>>): () => void {
    const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, values);
    return () => {
        for (const [name, value] of before) {
            if (value === undefined) delete process.env[name];
            else process.env[name] = value;
        }
    };
}
