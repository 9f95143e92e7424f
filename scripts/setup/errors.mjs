/** Stops the set-up. The message is for the person at the terminal; the output is what the failing tool printed. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {string} [output]
   */
  constructor(message, output = '') {
    super(message)
    this.output = output
  }
}
