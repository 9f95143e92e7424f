import type { Page } from 'playwright-core'

/**
 * Elements that wear two utility classes of which one has no effect, for both set the very same properties. Which of
 * them wins is decided by the order of the style sheet, not by whoever wrote one behind the other.
 */
export const findClashingClasses = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // What stands in a query, of the screen's measure for one, is meant to win there.
    const rulesOf = (rules: CSSRuleList): CSSStyleRule[] =>
      [...rules].flatMap((rule) => {
        if (rule instanceof CSSStyleRule) return [rule]
        return rule instanceof CSSLayerBlockRule ? rulesOf(rule.cssRules) : []
      })
    const propertiesOf = new Map<string, string>()
    for (const { selectorText, style } of [...document.styleSheets].flatMap((sheet) =>
      rulesOf(sheet.cssRules),
    )) {
      const name = selectorText.slice(1).replaceAll(/\\(.)/g, '$1')
      if (selectorText !== `.${CSS.escape(name)}`) continue
      const properties = [...style].filter((property) => !property.startsWith('--'))
      const isMeantToWin = properties.some((property) => style.getPropertyPriority(property) !== '')
      if (properties.length > 0 && !isMeantToWin) propertiesOf.set(name, properties.sort().join())
    }
    return [...document.body.querySelectorAll('[class]')].flatMap((element) => {
      const worn = new Map<string, string>()
      return [...element.classList].flatMap((name) => {
        const properties = propertiesOf.get(name)
        if (properties === undefined) return []
        const other = worn.get(properties)
        worn.set(properties, name)
        return other === undefined ? [] : [`${other} and ${name}: ${element.outerHTML.slice(0, 160)}`]
      })
    })
  })
